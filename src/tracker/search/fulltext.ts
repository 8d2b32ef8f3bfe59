import { type Sql, sql } from "./sql.ts";

/**
 * SQL test for a full-text match in the summary or in visible comments. Any of the plain words
 * matches; `+word` is required, `-word` excluded, `"..."` a phrase. `lowest` is the first bug whose
 * words are read. It is one list of bugs: SQLite would test each bug for each of two.
 */
export function fulltextTest(text: string, lowest = 0): Sql {
  const { "": optional = [], "+": required = [], "-": excluded = [] } = readQuery(text);
  const found = required.length > 0 ? required : optional.slice(0, 1).map(() => optional.join(" OR "));
  const [first, ...others] = found.map((word) => bugsWithComment(word, lowest));
  if (first === undefined) return sql`0`;
  const inSummary = [`(${found.join(") AND (")})`, ...excluded].join(" NOT ");
  let inComments = first;
  for (const bugs of others) inComments = sql`${inComments} INTERSECT ${bugs}`;
  for (const word of excluded) inComments = sql`${inComments} EXCEPT ${bugsWithComment(word, lowest)}`;
  return sql`bug.id IN (
    SELECT rowid FROM summary_words WHERE summary_words MATCH ${inSummary} AND rowid >= ${lowest}
    UNION ALL SELECT bug_id FROM (${inComments}))`;
}

function bugsWithComment(match: string, lowest: number): Sql {
  return sql`SELECT comment.bug_id FROM comment_words JOIN visible_comments AS comment ON ${COMMENT_OF_WORD}
    WHERE comment_words MATCH ${match} AND comment_words.rowid >= ${lowest} << 32`;
}

const COMMENT_OF_WORD = sql`comment.id = comment_words.rowid & 4294967295`;

/** SQL rows of `bug_id` and `weight`: words found in the summary plus comments that contain them. */
export function relevanceWeights(texts: readonly string[]): Sql {
  const words = texts.map(readQuery).flatMap(({ "": optional = [], "+": required = [] }) => [...optional, ...required]);
  const list = sql`json_each(${JSON.stringify(words)}) AS word`;
  return sql`(
    SELECT bug_id, count(*) AS weight FROM (
      SELECT summary_words.rowid AS bug_id FROM ${list} JOIN summary_words ON summary_words MATCH word.value
      UNION ALL
      SELECT comment.bug_id FROM ${list} JOIN comment_words ON comment_words MATCH word.value
        JOIN visible_comments AS comment ON ${COMMENT_OF_WORD})
    GROUP BY bug_id)`;
}

/** The phrases of a query by the sign before them, quoted, so that no word is an FTS operator. */
function readQuery(text: string): Partial<Record<string, string[]>> {
  const phrases: Partial<Record<string, string[]>> = {};
  for (const [, sign = "", word = ""] of text.matchAll(/([+-]?)("[^"]*"?|[^\s"()]+)/g)) {
    const ending = word.endsWith("*") ? "*" : ""; // after the quotes, a prefix search
    const phrase = `"${word.replace(/["*]/g, " ")}"${ending}`;
    if (/[\p{L}\p{N}]/u.test(word)) phrases[sign] = [...(phrases[sign] ?? []), phrase];
  }
  return phrases;
}
