/**
 * True if MariaDB, MySQL, PostgreSQL and this tracker agree on a regular expression: characters, escaped punctuation,
 * simple sets, groups, alternatives, anchors and greedy repetition. `.` and negated sets only count for texts of one line,
 * since databases differ on line breaks.
 */
export function isPortablePattern(pattern: string, { isOneLine }: { readonly isOneLine: boolean }): boolean {
  const rest = pattern.replace(isOneLine ? ONE_LINE : MANY_LINES, "");
  return rest === "" && !/(?:^|[(|])(?:[*+?{|)]|$)|[*+?}^][*+?{]/.test(withoutTexts(pattern));
}

/** A set without escapes, classes or operators; a letter case may not change a range. */
const SET = String.raw`[^\][\\&~-](?:-[^\][\\&~-])?`;
const PARTS = [
  String.raw`\\[^\w\s]`, // an escaped sign
  String.raw`[^\\[\](){}.*+?|^$]`, // itself
  String.raw`\[(?!\^)(?:${SET})+\]`,
  String.raw`\((?!\?)|[|^$)]`,
  String.raw`[*+?]|\{\d{1,3}(?:,\d{0,3})?\}`,
];
const ONE_LINE = new RegExp([...PARTS, String.raw`\.|\[\^(?:${SET})+\]`].join("|"), "gu");
const MANY_LINES = new RegExp(PARTS.join("|"), "gu");

/** The pattern with each escaped sign and set as one letter. */
function withoutTexts(pattern: string): string {
  return pattern.replace(/\\.|\[[^\]]*\]/gsu, "x");
}
