import { usageError } from "../../errors.ts";

/** Maximum length of a description (characters). */
export const MAX_DESCRIPTION = 65_535;

/** Maximum lengths (characters) of texts; trackers refuse or truncate longer ones. */
const TEXT_LIMITS: Readonly<Record<string, number>> = {
  summary: 255,
  alias: 40,
  see_also: 255,
  url: 65535,
  comment: 65535,
  description: MAX_DESCRIPTION,
};

/** The text itself. @throws BtError of kind usage if a tracker would refuse or change it */
export function checkedText(name: string, text: string): string {
  const most = TEXT_LIMITS[name];
  const length = [...text].length;
  if (most !== undefined && length > most)
    throw usageError(`the ${name} has ${length} characters; the maximum is ${most}`);
  const bad = [...text].findIndex((character) => UNWANTED.test(character));
  if (bad >= 0) throw usageError(`the ${name} contains a control character at position ${bad + 1}`);
  if (BLANK_IS_WRONG.has(name) && text.trim() === "") throw usageError(`the ${name} is empty`);
  if (name === "alias" && /[\s,]/.test(text)) throw usageError(`the alias ${JSON.stringify(text)} is not one word`);
  return text;
}

/** Control characters and lone surrogates; tabs and line breaks are allowed. */
const UNWANTED = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;
const BLANK_IS_WRONG = new Set(["summary", "comment", "alias"]);

/** Tokens of a text, words and bracketed texts (`[x]`, `[y]`, `foo`), each with the white space before it. */
function piecesIn(text: string): { readonly lead: string; readonly token: string }[] {
  const found = text.trim().matchAll(/(\s*)(\[[^[\]]*\]|[[\]]|[^\s[\]]+)/g);
  return [...found].map(([, lead = "", token = ""]) => ({ lead, token }));
}

/** The token itself. @throws BtError of kind usage for several tokens, or part of one */
export function checkedToken(text: string, name: string): string {
  if (piecesIn(text)[0]?.token === text && !/^[[\]]$/.test(text)) return text;
  const hint = 'a token is a word or [bracketed text]: [x] and foo in "[x] foo"';
  throw usageError(`${JSON.stringify(text)} is not a single ${name} token`, hint);
}

/** A text after removing and adding tokens; the rest is unchanged, and no two tokens become one. */
export function withTokens(text: string, add: readonly string[], remove: readonly string[]): string {
  const pieces = piecesIn(text);
  const left = pieces.flatMap(({ lead, token }, at) => {
    const isAfterGap = remove.includes(pieces[at - 1]?.token ?? "");
    return remove.includes(token) ? [] : (lead || (isAfterGap ? " " : "")) + token;
  });
  const added = [...new Set(add)].filter((token) => !pieces.some((piece) => piece.token === token));
  return [...left, ...added.map((token) => ` ${token}`)].join("").trim();
}
