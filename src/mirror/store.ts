import { type Store as Database, openDatabase, type SqlValue } from "../tracker/store/store.ts";
import type { Bug } from "../wire/bug-fields.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import type { Attachment, Comment, HistoryEntry } from "../wire/resources.ts";
import { COLUMNS, columnValues, folded, searchedText } from "./columns.ts";

/** Facts about a mirror, each stored as JSON. Times are ISO 8601 UTC; those of the tracker are compared, never computed with. */
export type Facts = {
  readonly version: number;
  readonly tracker: string; // address
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

const NO_FACTS: Facts = {
  ...{ version: 2, tracker: "", login: null, products: [], attachments: "none", groups: null, hasPages: true },
  ...{ mark: null, settled: null, checked: null, lastSync: null, shown: [] },
};

/** Everything that the tracker returned about a bug. */
export type KnownBug = {
  readonly id: number;
  readonly bug: Bug;
  readonly comments: readonly Comment[];
  readonly history: readonly HistoryEntry[];
  readonly attachments: readonly Attachment[];
};

export type Part = "comments" | "history" | "attachments";
export type MetadataKind = "fields" | "products" | "groups";

/** The file of a mirror. Each function that stores something is one transaction. */
export type Store = ReturnType<typeof storeIn>;

const SCHEMA = [
  "CREATE TABLE fact (name TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID",
  `CREATE TABLE bug (id INTEGER PRIMARY KEY, read TEXT NOT NULL, ${Object.keys(COLUMNS).map((name) => `${name} TEXT NOT NULL`)}) STRICT`,
  `CREATE TABLE received (id INTEGER PRIMARY KEY, bug TEXT NOT NULL, comments TEXT NOT NULL, history TEXT NOT NULL,
    attachments TEXT NOT NULL) STRICT`,
  "CREATE TABLE content (id INTEGER PRIMARY KEY, data TEXT NOT NULL) STRICT",
  "CREATE VIRTUAL TABLE words USING fts5 (summary, comments, content = '', contentless_delete = 1)",
  "INSERT INTO words (words, rank) VALUES ('secure-delete', 1)",
];

/** The file is a mirror, but not of this version. */
export class OtherVersion extends Error {}

/** Makes an error of one of SQLite, such as of a damaged file or a full disk. */
type NameError = (error: unknown) => unknown;

/**
 * Opens the file of a mirror, or makes a new one with these facts. Nothing is written to a file of another version.
 * @throws OtherVersion, or an error as `named`
 */
export function openStore(file: string, created?: Partial<Facts>, named: NameError = (error) => error): Store {
  const database = namingErrors(openDatabase(file), named);
  try {
    const isMirror = database.get("SELECT 1 FROM sqlite_schema WHERE name = 'fact'") !== undefined;
    if (!created && !(isMirror && readFacts(database).version === NO_FACTS.version)) throw new OtherVersion();
    for (const pragma of ["busy_timeout = 5000", "synchronous = NORMAL", "journal_mode = WAL", "secure_delete = ON"])
      database.all(`PRAGMA ${pragma}`);
    if (created) {
      database.transaction("write", () => {
        for (const statement of SCHEMA) database.run(statement);
        keepFacts(database, { ...NO_FACTS, ...created });
      });
    }
    return storeIn(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function namingErrors(database: Database, named: NameError): Database {
  const acts = Object.entries<(...values: never[]) => unknown>(database).map(([name, act]) => {
    const naming: typeof act = (...values) => {
      try {
        return act(...values);
      } catch (error) {
        throw named(error);
      }
    };
    return [name, naming];
  });
  return Object.fromEntries(acts);
}

function storeIn(database: Database) {
  const write = (work: () => void) => database.transaction("write", work);
  return {
    database,
    close: database.close,
    facts: () => readFacts(database),
    setFacts: (facts: Partial<Facts>) => write(() => keepFacts(database, facts)),
    metadata: (kind: MetadataKind) => {
      const row = database.get<{ json: string }>("SELECT json FROM fact WHERE name = ?", [`metadata ${kind}`]);
      return row && (JSON.parse(row.json) as Json);
    },
    keepMetadata: (values: Readonly<Record<MetadataKind, Json>>) => {
      const named = Object.entries(values).map(([kind, value]) => [`metadata ${kind}`, value]);
      write(() => keepFacts(database, Object.fromEntries(named)));
    },
    keepBugs: (bugs: readonly KnownBug[]) =>
      write(() => {
        for (const bug of bugs) keepBug(database, bug);
        const before = readFacts(database).shown;
        const shown = [...new Set([...before, ...bugs.flatMap(shownBy)])];
        if (shown.length > before.length) keepFacts(database, { shown });
      }),
    removeBugs: (ids: readonly number[]) =>
      write(() => {
        for (const id of ids) for (const sql of REMOVE) database.run(sql, [id]);
      }),
    /** The time of the last change of each bug as it was read; "" for one to be read again. */
    times: (): ReadonlyMap<number, string> => {
      const row = database.get<{ times: string }>("SELECT json_group_object(id, read) AS times FROM bug");
      return new Map(Object.entries<string>(JSON.parse(row?.times ?? "{}")).map(([id, time]) => [Number(id), time]));
    },
    /** Has the bugs read again by the next sync that meet a condition. */
    outdate: (condition: string, values: readonly SqlValue[] = []) =>
      write(() => database.run(`UPDATE bug SET read = '' WHERE ${condition}`, values)),
    /** These bugs in their order, with the parts that are wanted; the others are empty, and absent bugs left out. */
    known: (ids: readonly number[], parts: readonly Part[]) => readKnown(database, ids, parts),
    /** The content of an attachment in base64; undefined if it is not copied. */
    content: (id: number) => database.get<{ data: string }>("SELECT data FROM content WHERE id = ?", [id])?.data,
    keepContent: (id: number, data: string) =>
      write(() => database.run("INSERT OR REPLACE INTO content VALUES (?, ?)", [id, data])),
    /** Moves all changes from the log beside the file into the file: the log has texts that were removed since. */
    emptyLog: () => void database.all("PRAGMA wal_checkpoint(TRUNCATE)"),
  };
}

function readFacts(database: Database): Facts {
  const names = Object.keys(NO_FACTS);
  const rows = database.all<{ name: string; json: string }>(
    `SELECT name, json FROM fact WHERE name IN (${names.map(() => "?")})`,
    names,
  );
  return { ...NO_FACTS, ...Object.fromEntries(rows.map(({ name, json }) => [name, JSON.parse(json)])) };
}

function keepFacts(database: Database, facts: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(facts))
    database.run("INSERT OR REPLACE INTO fact VALUES (?, ?)", [name, JSON.stringify(value)]);
}

const KEEP = `INSERT OR REPLACE INTO bug VALUES (?, ?${", ?".repeat(Object.keys(COLUMNS).length)})`;
const KEEP_RECEIVED = "INSERT OR REPLACE INTO received VALUES (?, ?, ?, ?, ?)";
const REMOVE_WORDS = "DELETE FROM words WHERE rowid = ?";
const REMOVE = [
  `DELETE FROM content WHERE id IN (
    SELECT json_extract(value, '$.id') FROM received, json_each(attachments) WHERE received.id = ?)`,
  ...["DELETE FROM bug WHERE id = ?", "DELETE FROM received WHERE id = ?", REMOVE_WORDS],
];

function keepBug(database: Database, { id, bug, comments, history, attachments }: KnownBug): void {
  const { update_token: _, ...received } = bug as Bug & JsonObject;
  database.run(KEEP, [id, bug.last_change_time ?? "", ...columnValues(received)]);
  const parts = [received, comments, history, attachments].map((part) => JSON.stringify(part));
  database.run(KEEP_RECEIVED, [id, ...parts]);
  database.run(REMOVE_WORDS, [id]);
  const texts = [bug.summary ?? "", comments.map(searchedText).join("\n")].map(folded);
  database.run("INSERT INTO words (rowid, summary, comments) VALUES (?, ?, ?)", [id, ...texts]);
}

/** What a bug shows that its login sees: fields, and "private". */
function shownBy({ bug, comments, attachments }: KnownBug): string[] {
  const isPrivate = [...comments, ...attachments].some(({ is_private }) => Boolean(is_private));
  return [...Object.keys(bug), ...(isPrivate ? ["private"] : [])];
}

type Received = { readonly id: number; readonly bug: string } & Readonly<Record<Part, string>>;

function readKnown(database: Database, ids: readonly number[], parts: readonly Part[]): KnownBug[] {
  const columns = ["id", "bug", ...parts].join(", ");
  const sql = `SELECT ${columns} FROM received WHERE id IN (SELECT value FROM json_each(?))`;
  const rows = database.all<Received>(sql, [JSON.stringify(ids)]);
  const found = new Map(rows.map((row) => [row.id, knownIn(row)]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** A bug whose parts are parsed when they are first used: most conditions look at one. */
function knownIn({ id, ...texts }: Received): KnownBug {
  const known = { id, comments: [], history: [], attachments: [] };
  for (const [name, text] of Object.entries(texts)) {
    const keep = (value: unknown) => Object.defineProperty(known, name, { value, enumerable: true });
    const get = () => keep(JSON.parse(text))[name as Part];
    Object.defineProperty(known, name, { get, enumerable: true, configurable: true });
  }
  return known as unknown as KnownBug;
}
