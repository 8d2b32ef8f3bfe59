import { and, not, or, type Sql, sql } from "./sql.ts";

/**
 * SQL test for a full-text match in the summary or in a visible comment. Any of the plain words matches; `+word` is
 * required, `-word` excluded, `"..."` a phrase. By bug, the index is asked for each bug, which is fast for a few bugs and
 * any number of matches; else for all matches at once.
 */
export function fulltextTest(text: string, isByBug = false): Sql {
  const query = readQuery(text);
  return or([indexTest(query, isByBug ? summaryHas : inSummary), indexTest(query, isByBug ? commentHas : inComments)]);
}

/** SQL rows of `bug_id` and `weight`: number of words found in the summary plus comments that contain them. */
export function relevanceWeights(texts: readonly string[]): Sql {
  const words = texts.map(readQuery).flatMap(({ optional, required }) => [...optional, ...required]);
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
  readonly optional: readonly string[];
  readonly required: readonly string[];
  readonly excluded: readonly string[];
};

const TERM = /([+-]?)("[^"]*"?|[^\s"()]+)/g;

function readQuery(text: string): Query {
  const terms = [...text.matchAll(TERM)]
    .map(([, mark = "", word = ""]) => ({ mark, phrase: phraseOf(word) }))
    .filter(({ phrase }) => /[\p{L}\p{N}]/u.test(phrase));
  const withMark = (mark: string) => terms.filter((term) => term.mark === mark).map(({ phrase }) => phrase);
  return { optional: withMark(""), required: withMark("+"), excluded: withMark("-") };
}

// Quoted, so that no word is an FTS operator; a `*` after the quotes is a prefix search.
function phraseOf(word: string): string {
  const ending = word.endsWith("*") ? "*" : "";
  return `"${word.replace(/["*]/g, " ")}"${ending}`;
}

function indexTest({ optional, required, excluded }: Query, has: (match: string) => Sql): Sql {
  const found = required.length > 0 ? required.map(has) : optional.slice(0, 1).map(() => has(optional.join(" OR ")));
  return found.length === 0 ? sql`0` : and([...found, ...excluded.map((word) => not(has(word)))]);
}

function inSummary(match: string): Sql {
  return sql`bug.id IN (SELECT rowid FROM summary_words WHERE summary_words MATCH ${match})`;
}

const COMMENTS = sql`comment_words JOIN visible_comments AS comment ON comment.id = comment_words.rowid`;

function inComments(match: string): Sql {
  return sql`bug.id IN (SELECT comment.bug_id FROM ${COMMENTS} WHERE comment_words MATCH ${match})`;
}

function summaryHas(match: string): Sql {
  return sql`EXISTS (SELECT 1 FROM summary_words WHERE summary_words MATCH ${match} AND rowid = bug.id)`;
}

function commentHas(match: string): Sql {
  return sql`EXISTS (SELECT 1 FROM visible_comments AS comment WHERE comment.bug_id = bug.id
    AND EXISTS (SELECT 1 FROM comment_words WHERE comment_words MATCH ${match} AND rowid = comment.id))`;
}
