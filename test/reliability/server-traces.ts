import { openDatabase } from "../../src/tracker/store/store.ts";

/** Number of times that each write is in the data, by its number; see server-kills.ts for what the writes are. */
export type Traces = Readonly<Record<"bug" | "comment" | "change", ReadonlyMap<number, number>>>;

const TRACES = {
  bug: "SELECT substr(summary, 5) AS n, count(*) AS times FROM bugs WHERE summary LIKE 'bug-%' GROUP BY summary",
  comment: "SELECT substr(text, 6) AS n, count(*) AS times FROM comments WHERE text LIKE 'text-%' GROUP BY text",
  change: "SELECT substr(added, 6) AS n, count(*) AS times FROM activity WHERE added LIKE 'note-%' GROUP BY added",
} as const;

/** Counts what all writes have left. */
export function tracesOf(data: string): Traces {
  const database = openDatabase(data);
  const read = (sql: string) => new Map(database.all(sql).map(({ n, times }) => [Number(n), Number(times)] as const));
  const traces = { bug: read(TRACES.bug), comment: read(TRACES.comment), change: read(TRACES.change) };
  database.close();
  return traces;
}

/** Questions that sound data has no answer to. */
const DAMAGE: readonly string[] = [
  "SELECT integrity_check AS damage FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
  "SELECT \"table\" || ' refers to nothing' AS damage FROM pragma_foreign_key_check",
  "SELECT text || ' stands twice' AS damage FROM comments WHERE text <> '' GROUP BY text HAVING count(*) > 1",
  `SELECT summary || ' has no description' AS damage FROM bugs WHERE NOT EXISTS
    (SELECT 1 FROM comments WHERE bug_id = bugs.id AND text = replace(summary, 'bug-', 'text-'))`,
  `SELECT added || ' has no comment' AS damage FROM activity WHERE added LIKE 'note-%' AND NOT EXISTS
    (SELECT 1 FROM comments WHERE text = replace(added, 'note-', 'text-') AND creation_time = time)`,
  `SELECT hours || ' hours of comments, ' || told || ' in the history' AS damage FROM
    (SELECT (SELECT sum(work_time) FROM comments) AS hours,
      (SELECT sum(added) FROM activity WHERE field = 'work_time') AS told) WHERE hours <> told`,
];

/** Faults in data that a served tracker has left: pages, references, or writes that stand there by half. */
export function damageOf(data: string): readonly string[] {
  const database = openDatabase(data);
  const damage = DAMAGE.flatMap((sql) => database.all(sql).map(({ damage: text }) => String(text)));
  try {
    database.exec("INSERT INTO comment_words (comment_words) VALUES ('integrity-check')");
    database.exec("INSERT INTO summary_words (summary_words) VALUES ('integrity-check')");
    return damage;
  } catch (error) {
    return [...damage, `the index of words: ${(error as Error).message}`];
  } finally {
    database.close();
  }
}
