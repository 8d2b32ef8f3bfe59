import { parse } from "csv-parse/sync";
import type { Store } from "../../src/tracker/store/store.ts";
import type { Facts } from "./tasks.ts";

/** What is there after a line: how it ended, its output, and the tracker before it and after it. */
export type Outcome = {
  readonly code: number | undefined;
  readonly out: Buffer | undefined; // undefined: there is no such file
  readonly before: Store;
  readonly after: Store;
};

/** Why a task is not done; undefined if it is. */
export function missedFact(facts: Facts, { code, out, before, after }: Outcome): string | undefined {
  if (out === undefined) return `there is no ${facts.file}`;
  if (facts.code !== "any" && (code === 0) === (facts.code === "not 0")) return `exit code ${code}`;
  const text = out.toString();
  const values = valuesOf(text, facts.file?.endsWith(".csv") ?? false);
  if (facts.json && values === undefined) return "no JSON";
  const read = (sql = "SELECT 0 WHERE 0", store = before) => rowsOf(store, sql);
  const has = (words: readonly unknown[], place: string) => words.every((word) => includesWord(place, String(word)));
  const lines = values === undefined ? text.split("\n") : values.flatMap(innerTexts);
  const all = lines.join("\n");
  const checks: readonly (readonly [isMet: () => boolean, missing: string | undefined])[] = [
    [() => sameBugs(read(facts.bugs).flat(), listedBugs(text, values), facts.isSorted), facts.bugs],
    [() => read(facts.rows).every((row) => lines.some((line) => has(row, line))), facts.rows],
    [() => read(facts.says).every((row) => has(row, all)), facts.says],
    [() => !read(facts.lacks).some((row) => has(row, all)), facts.lacks],
    [() => read(facts.bytes).flat().includes(out.toString("base64")), facts.bytes],
    [() => read(facts.holds, after).flat().some(Boolean), facts.holds],
    [() => sameBugs(read(facts.changes).flat(), changedBugs(before, after)), facts.changes ?? "no changes"],
  ];
  return checks.find(([isMet, missing]) => missing !== undefined && !isMet())?.[1];
}

/** The bugs that Tomás sees, with names in place of numbers. */
const BUG = `CREATE TEMP VIEW bug AS
  SELECT bugs.*, products.name AS product, components.name AS component, assignee.login AS assignee, creator.login AS creator,
    status NOT IN ('RESOLVED', 'VERIFIED') AS is_open,
    bugs.id IN (SELECT bug_id FROM bug_cc JOIN users ON users.id = user_id WHERE login = 'tomas@example.org') AS is_followed
  FROM bugs JOIN products ON products.id = bugs.product_id JOIN components ON components.id = component_id
    JOIN users assignee ON assignee.id = assigned_to_id JOIN users creator ON creator.id = creator_id
  WHERE bugs.id NOT IN (SELECT bug_id FROM bug_groups)`;

/** Adds what the SQL of the facts reads. */
export function withBugView(store: Store): Store {
  store.exec(BUG);
  return store;
}

function rowsOf(store: Store, sql: string): readonly (readonly unknown[])[] {
  return store.all(sql).map((row) => Object.values(row));
}

function sameBugs(expected: readonly unknown[], found: readonly number[], isSorted = false): boolean {
  const inOrder = (ids: readonly unknown[]) => (isSorted ? ids : [...ids].sort((a, b) => Number(a) - Number(b)));
  return String(inOrder(expected)) === String(inOrder(found));
}

function changedBugs(before: Store, after: Store): readonly number[] {
  const states = `SELECT id, last_change_time || (SELECT count(*) FROM comments WHERE bug_id = bugs.id) || '/' ||
    (SELECT count(*) FROM activity WHERE bug_id = bugs.id) AS state FROM bugs`;
  const old = new Map(rowsOf(before, states) as [number, string][]);
  return (rowsOf(after, states) as [number, string][]).filter(([id, state]) => old.get(id) !== state).map(([id]) => id);
}

/** The values of JSON, of one after the other as jq prints them, or the rows of CSV; undefined for other text. */
function valuesOf(text: string, isCsv: boolean): readonly unknown[] | undefined {
  if (isCsv) return parse(text, { columns: true, bom: true });
  if (!/^\s*["[{]/.test(text)) return undefined;
  for (const texts of [[text], text.split(/\n(?=["[{])/)]) {
    try {
      return texts.map((one) => JSON.parse(one));
    } catch {
      // the next form
    }
  }
  return undefined;
}

/** A line for each object or array that has scalars. */
function innerTexts(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [String(value)];
  const entries = Object.entries(value);
  const isInner = ([, one]: [string, unknown]) => typeof one === "object" && one !== null;
  const own = entries.filter((entry) => !isInner(entry)).map(([key, one]) => `${key} ${one}`);
  return [own.join(" "), ...entries.filter(isInner).flatMap(([, one]) => innerTexts(one))];
}

/** The numbers of bugs in an output, once each: under their names in JSON, and where each line of other text begins. */
function listedBugs(text: string, values: readonly unknown[] | undefined): readonly number[] {
  const found = values?.flatMap(numbersIn) ?? text.split("\n").map(numberIn);
  return [...new Set(found.filter((number) => number > 0))];
}

function numbersIn(value: unknown): readonly number[] {
  if (typeof value !== "object" || value === null) return [numberIn(String(value))];
  const [, own] = Object.entries(value).find(([key]) => /^(?:bug[ _]?)?id$|^bug$/i.test(key)) ?? [];
  return own === undefined ? Object.values(value).flatMap(numbersIn) : [Number(own)];
}

/** The number that is the first cell of a line, or the second after a word, or in the address of a bug; 0 if there is none. */
function numberIn(line: string): number {
  const [, first, inAddress] = /^(?:\w+\t)?\W*(\d+)(?!\w)|show_bug\.cgi\?id=(\d+)/.exec(line) ?? [];
  return Number(first ?? inAddress ?? 0);
}

/** True if a text has a word, whatever white space is in it; of a number or a name, the whole one. */
function includesWord(text: string, word: string): boolean {
  const plain = (spaced: string) => spaced.replace(/\s+/g, " ");
  const found = plain(word).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const start = /^\d/.test(word) ? "(?<!\\d)" : "(?<!\\p{L})";
  const end = /\d$/.test(word) ? "(?!\\d)" : "(?!\\p{L})";
  return new RegExp(`${start}${found}${end}`, "u").test(plain(text));
}
