/**
 * Takes a text apart at a separator (a pattern without groups), but not inside double quotes; quotes and backslashes stay.
 * Undefined when a quote is not closed.
 */
export function splitOutside(text: string, separator: string): readonly string[] | undefined {
  const parts = [""];
  for (const [piece, found] of text.matchAll(pieces(separator))) {
    if (piece === '"') return undefined;
    if (found === undefined) {
      parts.push(`${parts.pop()}${piece}`);
    } else {
      parts.push("");
    }
  }
  return parts;
}

/** The same without the parts that are empty, and with nothing when a quote is not closed. */
export function wordsOutside(text: string, separator: string): readonly string[] {
  return (splitOutside(text, separator) ?? []).filter((part) => part !== "");
}

/** A text without its quotes, and with what backslashes protect. */
export function unquoted(text: string): string {
  return text.replace(/\\(.)|"/gs, (_all, protectedSign?: string) => protectedSign ?? "");
}

/** A word as full-text search takes a phrase. */
export function phrase(word: string): string {
  return `"${word.replaceAll('"', " ")}"`;
}

function pieces(separator: string): RegExp {
  return new RegExp(`"(?:[^"\\\\]|\\\\[^])*"|\\\\[^]|(${separator})|[^]`, "g");
}
