import { usage } from "../../errors.ts";

/** A token of a whiteboard with the blanks before it. */
type Piece = { readonly lead: string; readonly token: string };

/** The tokens of a whiteboard: what stands in a pair of brackets, with them, and every other word: `[x]`, `[y]`, `foo`. */
function piecesOf(text: string): readonly Piece[] {
  return [...text.trim().matchAll(/(\s*)(\[[^[\]]*\]|[[\]]|[^\s[\]]+)/g)].map(([, lead = "", token = ""]) => ({
    lead,
    token,
  }));
}

/** A token that is to be added or removed; a text of several, or of half a one, is refused. */
export function checkedToken(text: string): string {
  const [only, ...others] = piecesOf(text);
  if (only && others.length === 0 && only.token === text && !/^[[\]]$/.test(text)) return text;
  const hint = 'a token is a word, or all that stands in a pair of brackets: [x] and foo of "[x] foo"';
  throw usage(`${JSON.stringify(text)} is not one token of a whiteboard`, hint);
}

/** A whiteboard after tokens were removed and added; whatever else it holds stays as it is. */
export function withTokens(
  text: string,
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
): string {
  const kept: Piece[] = [];
  let gap: string | undefined; // the blanks before tokens that were removed
  for (const { lead, token } of piecesOf(text)) {
    if (remove.includes(token)) gap = gap || lead;
    else {
      const between = gap === undefined ? lead : lead || gap || blankBetween(kept.at(-1)?.token, token);
      kept.push({ lead: between, token });
      gap = undefined;
    }
  }
  const there = new Set(kept.map(({ token }) => token));
  const added = [...new Set(add)].filter((token) => !there.has(token));
  return [...kept.map(({ lead, token }) => lead + token), ...added.map((token) => ` ${token}`)].join("").trim();
}

/** What keeps two words apart that a removed token stood between; brackets need nothing. */
function blankBetween(before: string | undefined, after: string): string {
  return before === undefined || before.endsWith("]") || after.startsWith("[") ? "" : " ";
}
