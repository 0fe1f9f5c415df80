/** `npm start`. Compiled code of the last start is used again: it has to be asked for before anything else is loaded. */
import { enableCompileCache } from "node:module";

enableCompileCache();
const { run } = await import("./process.ts");
await run();
