import { and, not, or, type Sql, sql } from "./sql.ts";

/** A few bugs that a search is about: those from a number on, and the numbers of the first and last of their comments. */
export type FewBugs = { lowest: number; first: number; last: number };

/**
 * SQL test for a full-text match in the summary or in a visible comment. Any of the plain words matches; `+word` is
 * required, `-word` excluded, `"..."` a phrase. For a few bugs, it is fast for any number of matches.
 */
export function fulltextTest(text: string, few?: FewBugs): Sql {
  const query = readQuery(text);
  const isNear = few !== undefined && few.last - few.first <= MAX_BETWEEN;
  const summary = few ? sql`AND rowid >= ${few.lowest}` : sql``;
  const comments = isNear ? sql`AND comment_words.rowid BETWEEN ${few.first} AND ${few.last}` : sql``;
  return or([
    indexTest(query, (match) => inSummary(match, summary)),
    indexTest(query, (match) => (few && !isNear ? commentHas(match) : inComments(match, comments))),
  ]);
}

/** Maximum number of comments among which those of a few bugs are found in one go; else the index is asked for each. */
const MAX_BETWEEN = 5000;

/** SQL rows of `bug_id` and `weight`: number of words found in the summary plus comments that contain them. */
export function relevanceWeights(texts: string[]): Sql {
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
  optional: string[];
  required: string[];
  excluded: string[];
};

const TERM = /([+-]?)("[^"]*"?|[^\s"()]+)/g;

function readQuery(text: string): Query {
  const terms = [...text.matchAll(TERM)]
    .map(([, mark = "", word = ""]) => ({ mark, phrase: ftsPhrase(word) }))
    .filter(({ phrase }) => /[\p{L}\p{N}]/u.test(phrase));
  const withMark = (mark: string) => terms.filter((term) => term.mark === mark).map(({ phrase }) => phrase);
  return { optional: withMark(""), required: withMark("+"), excluded: withMark("-") };
}

// Quoted, so that no word is an FTS operator; a `*` after the quotes is a prefix search.
function ftsPhrase(word: string): string {
  const ending = word.endsWith("*") ? "*" : "";
  return `"${word.replace(/["*]/g, " ")}"${ending}`;
}

function indexTest({ optional, required, excluded }: Query, has: (match: string) => Sql): Sql {
  const found = required.length > 0 ? required.map(has) : optional.slice(0, 1).map(() => has(optional.join(" OR ")));
  return found.length === 0 ? sql`0` : and([...found, ...excluded.map((word) => not(has(word)))]);
}

function inSummary(match: string, range: Sql): Sql {
  return sql`bug.id IN (SELECT rowid FROM summary_words WHERE summary_words MATCH ${match} ${range})`;
}

function inComments(match: string, range: Sql): Sql {
  return sql`bug.id IN (SELECT comment.bug_id
    FROM comment_words JOIN visible_comments AS comment ON comment.id = comment_words.rowid
    WHERE comment_words MATCH ${match} ${range})`;
}

function commentHas(match: string): Sql {
  return sql`EXISTS (SELECT 1 FROM visible_comments AS comment WHERE comment.bug_id = bug.id
    AND EXISTS (SELECT 1 FROM comment_words WHERE comment_words MATCH ${match} AND rowid = comment.id))`;
}
