import { type Store as Database, openDatabase, type SqlValue } from "../tracker/store/store.ts";
import type { Bug } from "../wire/bug-fields.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import type { Attachment, Comment, HistoryEntry } from "../wire/resources.ts";
import { COLUMNS, columnText, columnValues, searchableText } from "./columns.ts";

/** Facts about a mirror, each stored as JSON. Times are ISO 8601 UTC. */
export type Facts = {
  readonly version: number;
  readonly tracker: string; // its address
  readonly login: string | null; // null: without a login
  readonly products: readonly string[]; // whose bugs it has; empty: all products
  readonly attachments: "none" | "all"; // whose contents are copied
  readonly groups: readonly string[] | null; // of the login; null: not visible
  readonly hasPages: boolean; // the tracker has pages for people
  readonly mark: string | null; // greatest last_change_time listed by the last complete sync; null before it
  readonly settled: string | null; // mark whose second was over when the bugs near it were read
  readonly checked: string | null; // day on which all ids were listed last
  readonly lastSync: string | null; // start of the last complete sync, by this machine's clock
  readonly shown: readonly string[]; // fields that some bug has; "private" if some comment or attachment is
};

const VERSION = 2; // of the files that this program makes and opens

const NO_FACTS: Facts = {
  version: VERSION,
  ...{ tracker: "", login: null, products: [], attachments: "none", groups: null, hasPages: true },
  ...{ mark: null, settled: null, checked: null, lastSync: null, shown: [] },
};

/** A bug with everything that the tracker returned about it. */
export type MirroredBug = {
  readonly id: number;
  readonly bug: Bug;
  readonly comments: readonly Comment[];
  readonly history: readonly HistoryEntry[];
  readonly attachments: readonly Attachment[];
};

export type Part = "comments" | "history" | "attachments";
export type MetadataKind = "fields" | "products" | "groups";

/** The file of a mirror. Each function that stores something is one transaction. */
export type Store = ReturnType<typeof storeMethods>;

const SCHEMA = [
  "CREATE TABLE fact (name TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID",
  `CREATE TABLE bug (id INTEGER PRIMARY KEY, read TEXT NOT NULL, ${Object.keys(COLUMNS).map((name) => `${name} TEXT NOT NULL`)}) STRICT`,
  `CREATE TABLE received (id INTEGER PRIMARY KEY, bug TEXT NOT NULL, comments TEXT NOT NULL, history TEXT NOT NULL,
    attachments TEXT NOT NULL) STRICT`,
  "CREATE TABLE content (id INTEGER PRIMARY KEY, data TEXT NOT NULL) STRICT",
  "CREATE VIRTUAL TABLE words USING fts5 (summary, comments, content = '', contentless_delete = 1)",
  "INSERT INTO words (words, rank) VALUES ('secure-delete', 1)",
];

/** The file is no mirror of this version. */
export class OtherVersion extends Error {}

/** Returns what is thrown in place of an error of SQLite, such as of a damaged file or a full disk. */
type TranslateError = (error: unknown) => unknown;

/**
 * Opens the file of a mirror; with `newFacts`, makes a mirror of an empty file.
 * @throws OtherVersion before anything is written, or an error that `translate` returns
 */
export function openStore(
  file: string,
  newFacts?: Partial<Facts>,
  translate: TranslateError = (error) => error,
): Store {
  const database = translateErrors(openDatabase(file), translate);
  try {
    if (!newFacts) checkVersion(database);
    for (const pragma of ["busy_timeout = 5000", "synchronous = NORMAL", "journal_mode = WAL", "secure_delete = ON"])
      database.all(`PRAGMA ${pragma}`);
    if (newFacts)
      database.transaction("write", () => {
        for (const statement of SCHEMA) database.run(statement);
        writeFacts(database, { ...NO_FACTS, ...newFacts });
      });
    return storeMethods(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function checkVersion(database: Database): void {
  const isMirror = database.get("SELECT 1 FROM sqlite_schema WHERE name = 'fact'") !== undefined;
  if (!isMirror || readFacts(database).version !== VERSION) throw new OtherVersion();
}

function translateErrors(database: Database, translate: TranslateError): Database {
  const methods = Object.entries<(...values: never[]) => unknown>(database).map(([name, method]) => {
    const translating: typeof method = (...values) => {
      try {
        return method(...values);
      } catch (error) {
        throw translate(error);
      }
    };
    return [name, translating];
  });
  return Object.fromEntries(methods);
}

function storeMethods(database: Database) {
  const write = (work: () => void) => database.transaction("write", work);
  return {
    database,
    close: database.close,
    facts: () => readFacts(database),
    setFacts: (facts: Partial<Facts>) => write(() => writeFacts(database, facts)),
    metadata: (kind: MetadataKind) => {
      const row = database.get<{ json: string }>("SELECT json FROM fact WHERE name = ?", [`metadata ${kind}`]);
      return row && (JSON.parse(row.json) as Json);
    },
    keepMetadata: (values: Readonly<Record<MetadataKind, Json>>) => {
      const named = Object.entries(values).map(([kind, value]) => [`metadata ${kind}`, value]);
      write(() => writeFacts(database, Object.fromEntries(named)));
    },
    keepBugs: (bugs: readonly MirroredBug[]) =>
      write(() => {
        for (const bug of bugs) keepBug(database, bug);
        const { shown } = readFacts(database);
        writeFacts(database, { shown: [...new Set([...shown, ...bugs.flatMap(namesShown)])] });
      }),
    removeBugs: (ids: readonly number[]) =>
      write(() => {
        for (const id of ids) for (const sql of DELETE_BUG) database.run(sql, [id]);
      }),
    /** The last_change_time that each bug had when it was read; "" if it is to be read again. */
    changeTimes: (): ReadonlyMap<number, string> => {
      const row = database.get<{ times: string }>("SELECT json_group_object(id, read) AS times FROM bug");
      return new Map(Object.entries<string>(JSON.parse(row?.times ?? "{}")).map(([id, time]) => [Number(id), time]));
    },
    /** Has the next sync read the bugs again that meet a condition of SQL. */
    markOutdated: (condition: string, values: readonly SqlValue[] = []) =>
      write(() => database.run(`UPDATE bug SET read = '' WHERE ${condition}`, values)),
    /** The bugs of these ids that the mirror has, in their order. Parts that are not named are []. */
    bugs: (ids: readonly number[], parts: readonly Part[]) => readBugs(database, ids, parts),
    /** The content of an attachment in base64; undefined if it is not copied. */
    content: (id: number) => database.get<{ data: string }>("SELECT data FROM content WHERE id = ?", [id])?.data,
    keepContent: (id: number, data: string) =>
      write(() => database.run("INSERT OR REPLACE INTO content VALUES (?, ?)", [id, data])),
    /** Empties the log beside the file, which has texts that were removed since. */
    emptyLog: () => void database.all("PRAGMA wal_checkpoint(TRUNCATE)"),
  };
}

function readFacts(database: Database): Facts {
  const rows = database.all<{ name: string; json: string }>(
    "SELECT name, json FROM fact WHERE name IN (SELECT value FROM json_each(?))",
    [Object.keys(NO_FACTS)],
  );
  return { ...NO_FACTS, ...Object.fromEntries(rows.map(({ name, json }) => [name, JSON.parse(json)])) };
}

function writeFacts(database: Database, facts: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(facts))
    database.run("INSERT OR REPLACE INTO fact VALUES (?, ?)", [name, JSON.stringify(value)]);
}

const INSERT_BUG = `INSERT OR REPLACE INTO bug VALUES (?, ?${", ?".repeat(Object.keys(COLUMNS).length)})`;
const INSERT_RECEIVED = "INSERT OR REPLACE INTO received VALUES (?, ?, ?, ?, ?)";
const DELETE_WORDS = "DELETE FROM words WHERE rowid = ?";
const DELETE_BUG = [
  `DELETE FROM content WHERE id IN (
    SELECT json_extract(value, '$.id') FROM received, json_each(attachments) WHERE received.id = ?)`,
  ...["DELETE FROM bug WHERE id = ?", "DELETE FROM received WHERE id = ?", DELETE_WORDS],
];

function keepBug(database: Database, { id, bug, comments, history, attachments }: MirroredBug): void {
  const { update_token: _, ...received } = bug as Bug & JsonObject; // a secret of the login
  database.run(INSERT_BUG, [id, bug.last_change_time ?? "", ...columnValues(received)]);
  const parts = [received, comments, history, attachments].map((part) => JSON.stringify(part));
  database.run(INSERT_RECEIVED, [id, ...parts]);
  database.run(DELETE_WORDS, [id]);
  const texts = [bug.summary ?? "", comments.map(searchableText).join("\n")].map(columnText);
  database.run("INSERT INTO words (rowid, summary, comments) VALUES (?, ?, ?)", [id, ...texts]);
}

/** Names of the fields of a bug, and "private" if one of its comments or attachments is. */
function namesShown({ bug, comments, attachments }: MirroredBug): string[] {
  const isPrivate = [...comments, ...attachments].some(({ is_private }) => Boolean(is_private));
  return [...Object.keys(bug), ...(isPrivate ? ["private"] : [])];
}

type Received = { readonly id: number; readonly bug: string } & Readonly<Record<Part, string>>;

function readBugs(database: Database, ids: readonly number[], parts: readonly Part[]): MirroredBug[] {
  const columns = ["id", "bug", ...parts].join(", ");
  const sql = `SELECT ${columns} FROM received WHERE id IN (SELECT value FROM json_each(?))`;
  const rows = database.all<Received>(sql, [ids]);
  const found = new Map(rows.map((row) => [row.id, lazyBug(row)]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** A bug whose JSON is parsed when it is first used: most conditions need only one part. */
function lazyBug({ id, ...texts }: Received): MirroredBug {
  const mirrored = { id, comments: [], history: [], attachments: [] };
  for (const [name, text] of Object.entries(texts)) {
    const get = () => {
      const value = JSON.parse(text);
      Object.defineProperty(mirrored, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(mirrored, name, { get, enumerable: true, configurable: true });
  }
  return mirrored as unknown as MirroredBug;
}
