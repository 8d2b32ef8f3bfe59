import type { TextFolding } from "../../../wire/mirror.ts";

/** The text as it is compared as a whole. */
export function folded(text: string, folding: TextFolding): string {
  return folding === "case" ? text.toLowerCase() : withoutAccents(text);
}

/** True if a text contains a part. @see Bugzilla/DB/Mysql.pm, sql_iposition */
export function containsPart(text: string, part: string, folding: TextFolding): boolean {
  if (text.toLowerCase().includes(part.toLowerCase())) return true;
  if (folding === "case") return false;
  const wanted = withoutAccents(part);
  if (!withoutAccents(text).includes(wanted)) return false;
  return folding === "accents" || hasSliceOf(text, wanted, Buffer.byteLength(part));
}

/** True if a slice of a text of this length (bytes of UTF-8) is the wanted text without accents. */
function hasSliceOf(text: string, wanted: string, length: number): boolean {
  const characters = [...text];
  return characters.some((_, start) => {
    let bytes = 0;
    let end = start;
    while (end < characters.length && bytes < length) bytes += Buffer.byteLength(characters[end++] ?? "");
    return bytes === length && withoutAccents(characters.slice(start, end).join("")) === wanted;
  });
}

/** The text in lower case, without accents, and with single letters for those that databases take for variants. */
function withoutAccents(text: string): string {
  const letters = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return letters.replace(/[æðøßđħŀłœſ]/g, (letter) => VARIANTS[letter] ?? letter);
}

const VARIANTS: Readonly<Record<string, string>> = {
  æ: "ae",
  ð: "d",
  ø: "o",
  ß: "ss",
  đ: "d",
  ħ: "h",
  ŀ: "l",
  ł: "l",
  œ: "oe",
  ſ: "s",
};
