import fc from "fast-check";
import type { Catalog, CatalogField } from "../../src/api/catalog/catalog.ts";
import type { Term, TypedOp } from "../../src/api/query/tree.ts";
import type { Bug } from "../../src/wire/bug-fields.ts";
import { test } from "../api/query/random-trees.ts";

/** Material of conditions: the fields of a tracker, some of its bugs, words of their comments, and people. */
export type ConditionSource = {
  readonly catalog: Catalog;
  readonly bugs: readonly Bug[];
  readonly words: readonly string[];
  readonly people: readonly string[];
};

/** Conditions on every field of a tracker by which it can be searched, with values that its bugs have. */
export function fieldConditions(source: ConditionSource): fc.Arbitrary<Term> {
  const made = source.catalog.fields.flatMap((field) =>
    LEFT_OUT.has(field.chart) ? [] : [conditionOn(field, source)],
  );
  return fc.oneof(...made, states);
}

/** Fields about the person who asks, or about other people's work, which not every copy of a tracker has. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "last_visit_ts",
  "owner_idle_time",
  "tag",
  "bug_group",
  "attach_data.thedata",
]);

/** States that every tracker has: those of `is:` that need no group and no known person. */
export const STATES = [
  ...(["open", "closed", "confirmed", "unconfirmed", "mine"] as const),
  ...(["reported", "self-assigned", "overdue", "stale", "dup"] as const),
] as const;

const states = fc.constantFrom(...STATES).map((state): Term => ({ kind: "is", state }));

function one(...operators: readonly TypedOp[]) {
  return fc.constantFrom(...operators);
}

function conditionOn(field: CatalogField, source: ConditionSource): fc.Arbitrary<Term> {
  const compared = VALUES[field.family](field, source).map(([op, ...values]) => test(field.api, op, ...values));
  const empty = fc.constant(test(field.api, "empty"));
  const changes = fc
    .record({ by: fc.constantFrom(...source.people), since: fc.constantFrom(...DATES) }, { requiredKeys: [] })
    .map((parts): Term => ({ kind: "change", field: field.api, ...parts }));
  return fc.oneof(
    { weight: 8, arbitrary: compared },
    { weight: 1, arbitrary: empty },
    { weight: 1, arbitrary: changes },
  );
}

type Made = fc.Arbitrary<readonly [TypedOp, ...string[]]>;
type Maker = (field: CatalogField, source: ConditionSource) => Made;

const DATES = ["2026-01-01", "2026-06", "2026-10-03T12:00:00Z", "2026-11-01", "-2w", "today", "-1y"];

const order = one("=", ">", ">=", "<", "<=");

function pairs(op: fc.Arbitrary<TypedOp>, values: readonly string[]): Made {
  return fc.tuple(op, fc.constantFrom(...(values.length > 0 ? values : ["nothing"])));
}

/** Values of a field in the bugs, as text. */
function valuesOf({ api }: CatalogField, { bugs }: ConditionSource): readonly string[] {
  const values = bugs.flatMap((bug) => (bug as Readonly<Record<string, unknown>>)[api]).flat();
  return [...new Set(values.filter((value) => ["string", "number"].includes(typeof value)).map(String))].filter(
    (text) => text.trim() !== "",
  );
}

/** Parts of texts as people type them: words, and what is between them. */
function partsOf(texts: readonly string[]): readonly string[] {
  const words = texts.flatMap((text) => text.split(/\s+/)).map((word) => word.slice(0, 30));
  const parts = texts.map((text) => text.slice(Math.floor(text.length / 3), Math.floor(text.length / 3) + 7));
  return [...new Set([...words, ...parts].map((part) => part.trim()).filter((part) => part.length > 1))];
}

const text: Maker = (field, source) => {
  const found = valuesOf(field, source);
  const texts = found.length > 0 ? found : source.words;
  const words = partsOf(texts).filter((word) => /^[\p{L}\p{N}]+$/u.test(word));
  return fc.oneof(
    pairs(one("~", "^=", "$="), partsOf(texts)),
    pairs(
      one("="),
      texts.filter((value) => value.length < 200),
    ),
    pairs(
      one("=~"),
      words.map((word) => `${word}|[0-9]+$`),
    ),
  );
};

const items: Maker = (field, source) => {
  const found = valuesOf(field, source);
  return pairs(one("=", "~"), found.length > 0 ? found : source.words);
};

const people: Maker = (_, { people: logins }) =>
  fc.oneof(
    pairs(one("="), [...logins, "@me", "@reporter"]),
    pairs(one("~"), ["example", ...logins.map((name) => name.slice(0, 3))]),
  );

const choice: Maker = ({ values }) => {
  const names = values.map(({ name }) => name).filter((name) => name !== "");
  const some = names.length > 0 ? names : ["nothing"];
  return fc
    .subarray(some, { minLength: 1, maxLength: Math.min(3, some.length) })
    .map((list): readonly [TypedOp, ...string[]] => ["=", ...list]);
};

const numbers: Maker = (field, source) => pairs(order, [...valuesOf(field, source), "1", "3"]);

const VALUES: Readonly<Record<CatalogField["family"], Maker>> = {
  text,
  texts: (field, source) => (field.chart === "longdesc" ? text(field, source) : items(field, source)),
  person: people,
  people,
  choice,
  choices: choice,
  ranked: (field) =>
    pairs(
      order,
      field.values.map(({ name }) => name).filter((name) => name !== "---"),
    ),
  number: numbers,
  numbers: (field, source) => pairs(one("="), [...valuesOf(field, source), "1"]),
  "yes-no": () => pairs(one("="), ["yes", "no"]),
  moment: () => pairs(order, DATES),
  day: () => pairs(order, DATES),
  special: (_, { words }) => pairs(one("~"), words),
};
