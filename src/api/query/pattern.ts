/** A text as a regular expression that matches just this text, in the server's dialects and in JavaScript's. */
export const literal = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");

/** The same expression with blanks at its ends written so that the server, which trims what it gets, keeps them. */
export const untrimmed = (pattern: string): string => pattern.replace(/^ | $/g, "[ ]");

/** Matches a whole word as the server's `anywords` does: ASCII letters and digits on both sides end it. */
export const wordPattern = (word: string): RegExp => new RegExp(`(^|[^a-z0-9])${literal(word)}($|[^a-z0-9])`, "i");
