/** Text as the database can keep it: PostgreSQL holds neither NUL nor half a surrogate pair. */
export const storableText = (text: string): string => text.replaceAll("\0", "").toWellFormed();
