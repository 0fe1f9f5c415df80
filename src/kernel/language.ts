/** The languages that the fixed workflows speak: ISO 639-1. Anything else is answered in English. */
export const LANGUAGES = ["en", "es", "de", "fr", "pt", "it"] as const;
export type Language = (typeof LANGUAGES)[number];
