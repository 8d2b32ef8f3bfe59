/**
 * How a stored text is like one that was sent: the same; the same but for what trackers do to texts (they drop or replace
 * characters, escape them, cut the end, add lines); or another text.
 */
export type Likeness = "same" | "rewritten" | "other";

/** Compares texts; trackers normalize line ends and trim the end. */
export function likeness(sent: string, stored: string): Likeness {
  const [whole, same] = [sent, stored].map((text) => text.replace(/\r\n?/g, "\n").trimEnd());
  if (whole === same) return "same";
  const [wanted, found] = [lettersAndDigits(sent), lettersAndDigits(stored)];
  if (wanted === "") return found === "" && otherCharacters(sent) === otherCharacters(stored) ? "rewritten" : "other";
  const isCut = found.length >= MIN_CUT && wanted.startsWith(found);
  const isLonger = found.length > wanted.length && found.startsWith(wanted);
  return wanted === found || isCut || (isLonger && hasAddedLines(wanted, stored)) ? "rewritten" : "other";
}

/** Letters and digits that a text must have left after its end was cut. */
const MIN_CUT = 20;

/** True if the text is whole lines at the beginning of the stored one. */
function hasAddedLines(wanted: string, stored: string): boolean {
  let found = "";
  for (const line of stored.split(/\r?\n/)) {
    found += lettersAndDigits(line);
    if (found.length >= wanted.length) break;
  }
  return found === wanted;
}

/** The letters and digits of a text, without case and accents, as far as every tracker can store them. */
function lettersAndDigits(text: string): string {
  return text
    .replace(ESCAPES, (_, name) => ESCAPED[name] ?? " ")
    .replace(BEYOND_BMP, "")
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .toLowerCase();
}

/** The other characters of a text, without those that trackers may replace. */
function otherCharacters(text: string): string {
  return text.replace(BEYOND_BMP, "").replace(/\p{Default_Ignorable_Code_Point}|[?\ufffd\s]/gu, "");
}

const BEYOND_BMP = /[\u{10000}-\u{10FFFF}]/gu;

const ESCAPES = /&(lt|gt|amp|quot|#\d+);/g;
const ESCAPED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };
