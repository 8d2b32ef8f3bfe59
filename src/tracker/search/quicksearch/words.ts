/**
 * Takes a text apart at a separator (a pattern without groups), but not inside double quotes; quotes and backslashes stay.
 * Undefined when a quote is not closed.
 */
export const splitOutside = (text: string, separator: string): readonly string[] | undefined => {
  const parts = [""];
  for (const [piece, found] of text.matchAll(pieces(separator))) {
    if (piece === '"') {
      return undefined;
    }
    if (found === undefined) {
      parts.push(`${parts.pop()}${piece}`);
    } else {
      parts.push("");
    }
  }
  return parts;
};

/** The same without the parts that are empty, and with nothing when a quote is not closed. */
export const wordsOutside = (text: string, separator: string): readonly string[] =>
  (splitOutside(text, separator) ?? []).filter((part) => part !== "");

/** A text without its quotes, and with what backslashes protect. */
export const unquoted = (text: string): string =>
  text.replace(/\\(.)|"/gs, (_all, protectedSign?: string) => protectedSign ?? "");

/** A word as full-text search takes a phrase. */
export const phrase = (word: string): string => `"${word.replaceAll('"', " ")}"`;

const pieces = (separator: string): RegExp => new RegExp(`"(?:[^"\\\\]|\\\\[^])*"|\\\\[^]|(${separator})|[^]`, "g");
