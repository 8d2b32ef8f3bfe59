import { and, not, or, type Sql, sql } from "./sql.ts";

/**
 * What a full-text search says about the bug: its summary matches, or its comments (those that the requester may see) do.
 * Plain words want any of them; with `+word`, `-word` or a "phrase" they are as the marks say.
 */
export function fulltextTest(text: string): Sql {
  const query = readQuery(text);
  return or([sideTest(query, inSummary), sideTest(query, inComments)]);
}

/** How well bugs match, as rows of `bug_id` and `weight`: each word in the summary counts, and each comment that has it. */
export function relevanceWeights(texts: readonly string[]): Sql {
  const words = texts.map(readQuery).flatMap(({ wanted, required }) => [...wanted, ...required]);
  const list = sql`json_each(${JSON.stringify(words)}) AS word`;
  return sql`(
    SELECT bug_id, count(*) AS weight FROM (
      SELECT summary_words.rowid AS bug_id FROM ${list} JOIN summary_words ON summary_words MATCH word.value
      UNION ALL
      SELECT comment.bug_id FROM ${list} JOIN comment_words ON comment_words MATCH word.value
        JOIN visible_comments AS comment ON comment.id = comment_words.rowid)
    GROUP BY bug_id)`;
}

type Query = {
  readonly wanted: readonly string[];
  readonly required: readonly string[];
  readonly refused: readonly string[];
};

const TERM = /([+-]?)("[^"]*"?|[^\s"()]+)/g;

function readQuery(text: string): Query {
  const terms = [...text.matchAll(TERM)]
    .map(([, mark = "", word = ""]) => ({ mark, phrase: phraseOf(word) }))
    .filter(({ phrase }) => /[\p{L}\p{N}]/u.test(phrase));
  const marked = (mark: string) => terms.filter((term) => term.mark === mark).map(({ phrase }) => phrase);
  return { wanted: marked(""), required: marked("+"), refused: marked("-") };
}

// In double quotes nothing is an operator of the index; a star behind them stands for any ending.
function phraseOf(word: string): string {
  const ending = word.endsWith("*") ? "*" : "";
  return `"${word.replace(/["*]/g, " ")}"${ending}`;
}

function sideTest({ wanted, required, refused }: Query, has: (match: string) => Sql): Sql {
  const found = required.length > 0 ? required.map(has) : wanted.slice(0, 1).map(() => has(wanted.join(" OR ")));
  return found.length === 0 ? sql`0` : and([...found, ...refused.map((word) => not(has(word)))]);
}

function inSummary(match: string): Sql {
  return sql`bug.id IN (SELECT rowid FROM summary_words WHERE summary_words MATCH ${match})`;
}

const COMMENTS = sql`comment_words JOIN visible_comments AS comment ON comment.id = comment_words.rowid`;

function inComments(match: string): Sql {
  return sql`bug.id IN (SELECT comment.bug_id FROM ${COMMENTS} WHERE comment_words MATCH ${match})`;
}
