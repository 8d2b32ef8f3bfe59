/** A text as a regular expression that matches just this text, in the server's dialects and in JavaScript's. */
export function literal(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}

/** The same expression with blanks at its ends written so that the server, which trims what it gets, keeps them. */
export function untrimmed(pattern: string): string {
  return pattern.replace(/^ | $/g, "[ ]");
}

/** Matches a whole word as the server's `anywords` does: ASCII letters and digits on both sides end it. */
export function wordPattern(word: string): RegExp {
  return new RegExp(`(^|[^a-z0-9])${literal(word)}($|[^a-z0-9])`, "i");
}
