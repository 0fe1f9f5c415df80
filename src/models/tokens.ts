/**
 * How many tokens a text is, at most: a third of its UTF-8 bytes. Tokenizers of today's models need a
 * quarter for English and about a third for code, JSON and other alphabets; a window that is a little
 * too small costs an old message, one that is too large costs the answer.
 */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text, "utf8") / 3);
