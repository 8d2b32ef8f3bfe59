import { usageError } from "../../errors.ts";

/** A token of a text with the whitespace before it. */
type Piece = { lead: string; token: string };

/** Tokens of a text: bracketed texts and words: `[x]`, `[y]`, `foo`. */
function splitTokens(text: string): Piece[] {
  return [...text.trim().matchAll(/(\s*)(\[[^[\]]*\]|[[\]]|[^\s[\]]+)/g)].map(([, lead = "", token = ""]) => ({
    lead,
    token,
  }));
}

/**
 * The token itself.
 * @throws BtError of kind usage for several tokens, or part of one
 */
export function checkedToken(text: string, name: string): string {
  const [only, ...others] = splitTokens(text);
  if (only && others.length === 0 && only.token === text && !/^[[\]]$/.test(text)) return text;
  const hint = 'a token is a word or [bracketed text]: [x] and foo in "[x] foo"';
  throw usageError(`${JSON.stringify(text)} is not a single ${name} token`, hint);
}

/** A text after removing and adding tokens; the rest is unchanged. */
export function withTokens(
  text: string,
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
): string {
  const pieces = splitTokens(text);
  const isRemoved = (piece?: Piece) => piece !== undefined && remove.includes(piece.token);
  const left = pieces.flatMap((piece, at) => {
    const lead = piece.lead || (isRemoved(pieces[at - 1]) ? " " : ""); // no two tokens become one
    return isRemoved(piece) ? [] : [{ ...piece, lead }];
  });
  const there = new Set(left.map(({ token }) => token));
  const added = [...new Set(add)].filter((token) => !there.has(token));
  return [...left.map(({ lead, token }) => lead + token), ...added.map((token) => ` ${token}`)].join("").trim();
}

export function tokensIn(text: string): string[] {
  return splitTokens(text).map(({ token }) => token);
}
