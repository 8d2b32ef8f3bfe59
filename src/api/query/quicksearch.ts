import { type BtError, usageError } from "../../errors.ts";

/**
 * Rejects a quicksearch for which servers return too few bugs. A negated word also requires an alias that lacks it,
 * which excludes bugs without an alias; a negated term beside `|` or OR is joined by AND.
 * @throws BtError of kind usage
 * @see Bugzilla/Search/Quicksearch.pm, _default_quicksearch_word and addChart
 */
export function checkQuicksearch(text: string): void {
  for (const alternatives of quicksearchWords(text).map(alternativesOf)) {
    for (const term of alternatives) checkTerm(term, alternatives.length > 1);
  }
}

/** Words of a quicksearch: OR joins its neighbours, NOT negates the next word, AND is ignored. */
function quicksearchWords(text: string): string[] {
  const words: string[] = [];
  let joint = "";
  for (const word of text.match(WORD) ?? []) {
    if (word === "OR") joint = `${words.pop() ?? ""}|`;
    else if (word === "NOT") joint += "-";
    else if (word !== "AND") {
      words.push(joint + word);
      joint = "";
    }
  }
  return words;
}

const WORD = /(?:"[^"]*"|[^\s"]|")+/g; // whitespace within quotes belongs to the word

function alternativesOf(word: string): string[] {
  return (word.match(/(?:"[^"]*"|[^|"]|")+/g) ?? []).filter((term) => term !== "");
}

function checkTerm(term: string, isAlternative: boolean): void {
  const isNegated = term.startsWith("-");
  const bare = isNegated ? term.slice(1) : term;
  const [, fields = "", operator = ""] = /^([^"]*?)(!=|>=|<=|[:=<>])/.exec(bare) ?? [];
  if ((isNegated || operator === "!=") && fields.split(",").some(isAlias))
    throw quicksearchError(term, NO_ALIAS, NOT_ALIAS);
  if (isNegated) checkNegated(term, { bare, isAlternative, isField: operator !== "" || isSpecial(bare) });
}

type Negated = { bare: string; isAlternative: boolean; isField: boolean };

function checkNegated(term: string, { bare, isAlternative, isField }: Negated): void {
  if (isAlternative)
    throw quicksearchError(term, "it is ANDed with its alternatives", "use separate searches, or --where");
  if (/\?[^?\s]/.test(bare))
    throw quicksearchError(term, "flag and requestee are negated separately", "'not flag(NAME? requestee LOGIN)'");
  if (!isField)
    throw quicksearchError(term, NO_ALIAS, `use '-summary,whiteboard:${bare}', or bt bug search 'not ${bare}'`);
}

/**
 * True for `:component`, `@login`, `#summary`, `[whiteboard`, `!keyword`, `flag?`, and `P1`, whose negation servers
 * reject.
 */
function isSpecial(word: string): boolean {
  return /^[#:@[!].|\?$/.test(word) || PRIORITY.test(word);
}

const PRIORITY = /^P\d+(?:-\d+)?$/i;
const NO_ALIAS = "bugs without an alias are omitted";
const NOT_ALIAS = "bt bug search 'not alias:NAME'";

/** Servers accept any prefix of a field's name. */
function isAlias(field: string): boolean {
  return /^al(?:i(?:as?)?)?$/i.test(field.trim());
}

function quicksearchError(term: string, reason: string, hint: string): BtError {
  return usageError(`trackers return wrong results for ${JSON.stringify(term)} in a quicksearch: ${reason}`, hint);
}
