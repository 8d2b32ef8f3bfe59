import { and, not, or, type Sql, sql } from "./sql.ts";

/**
 * SQL test for a full-text match in the summary or in a visible comment. Any of the plain words matches; `+word` is
 * required, `-word` excluded, `"..."` a phrase. With `lowest`, it holds for the bugs from that number on, for which less of
 * the index is read.
 */
export function fulltextTest(text: string, lowest?: number): Sql {
  const query = readQuery(text);
  const summaries = lowest === undefined ? sql`` : sql`AND rowid >= ${lowest}`;
  const comments = lowest === undefined ? sql`` : sql`AND comment_words.rowid >= ${lowest} << 32`;
  return or([
    indexTest(query, (match) => inSummary(match, summaries)),
    indexTest(query, (match) => inComments(match, comments)),
  ]);
}

/** SQL rows of `bug_id` and `weight`: number of words found in the summary plus comments that contain them. */
export function relevanceWeights(texts: string[]): Sql {
  const words = texts.map(readQuery).flatMap(({ optional, required }) => [...optional, ...required]);
  const list = sql`json_each(${JSON.stringify(words)}) AS word`;
  return sql`(
    SELECT bug_id, count(*) AS weight FROM (
      SELECT summary_words.rowid AS bug_id FROM ${list} JOIN summary_words ON summary_words MATCH word.value
      UNION ALL
      SELECT comment.bug_id FROM ${list} JOIN comment_words ON comment_words MATCH word.value
        JOIN visible_comments AS comment ON ${COMMENT_OF_WORD})
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
    FROM comment_words JOIN visible_comments AS comment ON ${COMMENT_OF_WORD}
    WHERE comment_words MATCH ${match} ${range})`;
}

const COMMENT_OF_WORD = sql`comment.id = comment_words.rowid & 4294967295`;
