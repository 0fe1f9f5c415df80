/** The key that signs checkpoints: of the configuration, or made at the first need and kept in the data folder. */
import type { Random } from "../kernel/ports.ts";
import { secretFile } from "../store/secret-file.ts";
import { type AuditSigner, createAuditSigner } from "./checkpoints.ts";

/** It ends in `-secret`, as what a backup keeps does. */
const FILE = "audit-signing-secret";

export const auditSigner = (
  configuration: { readonly auditKey: string | null; readonly dataDir: string },
  random: Random,
): AuditSigner =>
  createAuditSigner(configuration.auditKey ?? secretFile(configuration.dataDir, FILE, random));
