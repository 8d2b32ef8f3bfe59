import type { Row } from "../condition.ts";

/** The words of a value: what blanks and commas separate. */
export function wordsOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

/** The values that `anyexact` takes: as they were given, or what commas separate; the resolution --- is that of open bugs. */
export function itemsOf({ field, items, text }: Row): readonly string[] {
  const list =
    items ??
    text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
  return field === "resolution" ? list.map((item) => (item === "---" ? "" : item)) : list;
}

/** Letters of every script without their case. */
export function folded(text: string): string {
  return text.toLowerCase();
}

/** Whether the engine's own case folding, which knows A to Z only, is enough for a text. */
export function isPlain(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

/** A test for a word that stands alone: no letter or digit before or behind it. */
export function hasWord(word: string): (text: string) => boolean {
  const literal = word.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, "iu");
  return (text) => pattern.test(text);
}
