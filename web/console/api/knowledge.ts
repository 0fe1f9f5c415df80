/** Documents as `/v1/operator/knowledge` has them. */
import { ask } from "./client.ts";

export const KINDS = ["policy", "faq", "product", "resolved_case"] as const;
export const FORMATS = ["markdown", "html", "pdf", "text"] as const;
export const LANGUAGES = ["en", "es", "de", "fr", "pt", "it"] as const;

export interface DocumentItem {
  readonly document_id: string;
  readonly version: string;
  readonly language: string;
  readonly kind: string;
  readonly audience: string;
  readonly title: string;
  readonly effective_from: string;
  readonly effective_until: string | null;
  readonly state: "current" | "future" | "superseded" | "ended" | "held";
  /** The policy's own text: nobody removes it here. */
  readonly is_policy: boolean;
  readonly passages: number;
  readonly held_for: readonly string[];
  readonly published_at: string;
  readonly published_by: string;
}
export interface NewDocument {
  readonly document_id: string;
  readonly version: string;
  readonly kind: string;
  readonly language: string;
  readonly audience: string;
  readonly title: string;
  readonly effective_from?: string;
  readonly format: string;
  readonly content: string;
}
export interface Added {
  readonly outcome: "published" | "unchanged" | "held";
  readonly passages: number;
  readonly held_for: readonly string[];
}
export interface Answer {
  readonly answered: boolean;
  readonly confidence: number;
  readonly doubts: readonly string[];
  readonly passages: readonly {
    readonly document_id: string;
    readonly version: string;
    readonly effective_from: string;
    readonly title: string;
    readonly clause_id: string | null;
    readonly language: string;
    readonly headings: readonly string[];
    readonly text: string;
    readonly score: number;
  }[];
}

const AT = "/v1/operator/knowledge";
export const documentList = (signal: AbortSignal) => ask<{ documents: DocumentItem[] }>(AT, { signal });
export const addDocument = (document: NewDocument) => ask<Added>(AT, { method: "POST", body: document });
/** As a customer would be answered: nothing that only operators may read. */
export const searchKnowledge = (query: string, language: string | null, signal: AbortSignal) =>
  ask<Answer>(`${AT}/search`, {
    method: "POST",
    body: { query, audience: "customer", ...(language === null ? {} : { language }) },
    signal,
  });
type Which = Pick<DocumentItem, "document_id" | "version" | "language">;
const which = ({ document_id, version, language }: Which) => ({ document_id, version, language });
export const releaseDocument = (document: Which) =>
  ask<{ released: true }>(`${AT}/release`, { method: "POST", body: which(document) });
export const removeDocument = (document: Which) =>
  ask<{ removed: number }>(`${AT}/remove`, { method: "POST", body: which(document) });
