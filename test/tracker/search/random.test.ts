import fc from "fast-check";
import { expect, test } from "vitest";
import { much } from "../../sampling.ts";
import { type Parameters, searcher } from "./ask.ts";
import { type Asked, FIELDS, MOMENTS, meets, type Viewer } from "./naive.ts";
import { emptyStore, LOGINS, PRIORITIES, randomBug, STATUSES, storeBugs, TEXTS } from "./random-bugs.ts";

// A random search over random bugs finds what the naive filter finds, whoever asks.

function one<T>(values: readonly T[]) {
  return fc.constantFrom(...values);
}

const WORDS = ["zebra", "quagga", "über", "zebra quagga", "alice", "crash perf", "crash", "review", "no", "High"];
const TEXT_OPERATORS = {
  equals: [...TEXTS, ...STATUSES, ...PRIORITIES, ...LOGINS, "crash", "review?", "zeb-1", "yes"],
  notequals: [...TEXTS, ...LOGINS, "crash", "review+", "zeb-2"],
  anyexact: ["zebra,quagga", "high,LOW", "ÜBER ALLES,zebra", LOGINS.join(",")],
  substring: ["ZEB", "%", "a_b", "[zoo]", "über", "example", "cra", "view"],
  casesubstring: ["Zebra", "ÜBER", "alice"],
  notsubstring: ["zeb", "über", "bob"],
  regexp: ["^zebra", "(quag|über)", "\\d+%$", "^$"],
  notregexp: ["^zebra", "alice|bob"],
  anywords: WORDS,
  allwords: WORDS,
  nowords: WORDS,
  anywordssubstr: WORDS,
  allwordssubstr: WORDS,
  nowordssubstr: WORDS,
  isempty: [""],
  isnotempty: [""],
} as const;
const NUMBER_OPERATORS = ["equals", "notequals", "lessthan", "lessthaneq", "greaterthan", "greaterthaneq", "anyexact"];
const TIME_OPERATORS = ["equals", "notequals", "lessthan", "lessthaneq", "greaterthan", "greaterthaneq"];
const NUMBERS = ["bug_id", "cf_points", "longdescs.count"];
const TIMES = ["creation_ts", "deadline"];
const TEXT_FIELDS = Object.keys(FIELDS).filter((field) => !NUMBERS.includes(field) && !TIMES.includes(field));

function row(field: string, operator: string, text: string): Asked {
  return { kind: "row", field, operator, text };
}

const textRow = fc
  .tuple(one(TEXT_FIELDS), one(Object.keys(TEXT_OPERATORS) as (keyof typeof TEXT_OPERATORS)[]))
  .chain(([field, operator]) => one(TEXT_OPERATORS[operator]).map((text) => row(field, operator, text)))
  .filter((asked) => asked.kind === "row" && (asked.text !== "" || asked.operator.endsWith("empty")));
const numberRow = fc
  .tuple(one(NUMBERS), one(NUMBER_OPERATORS), fc.integer({ min: 0, max: 5 }))
  .map(([field, operator, number]) => row(field, operator, String(number)));
const timeRow = fc
  .tuple(one(TIMES), one(TIME_OPERATORS), one(Object.keys(MOMENTS).filter((text) => !/^[-+]?\d[dw]/.test(text))))
  .map(([field, operator, text]) => row(field, operator, text));
const changeTest: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  one(["CONFIRMED", "high", "zebra"]).map((text) => ["changedfrom", text] as const),
  one(["RESOLVED", "low", "QUAGGA"]).map((text) => ["changedto", text] as const),
  one(LOGINS).map((text) => ["changedby", text] as const),
  fc.tuple(one(["changedafter", "changedbefore"]), one(Object.keys(MOMENTS).filter((text) => text !== "whenever"))),
);
const changed = fc
  .tuple(one(["bug_status", "priority", "short_desc"]), fc.array(changeTest, { minLength: 1, maxLength: 3 }))
  .map(([field, rows]): Asked => ({ kind: "changes", field, rows }));

const { condition } = fc.letrec<{ condition: Asked }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    textRow,
    textRow,
    numberRow,
    timeRow,
    changed,
    fc.record({
      kind: fc.constant("group" as const),
      join: one(["AND", "OR"] as const),
      parts: fc.array(tie("condition"), { minLength: 1, maxLength: 3 }),
    }),
    tie("condition").map((part): Asked => ({ kind: "not", part })),
  ),
}));

/** The rows of a custom search that say a condition. */
function rowsOf(asked: Asked, isNegated = false): readonly (readonly [f: string, more: Parameters])[] {
  const n: Parameters = isNegated ? { n: "1" } : {};
  switch (asked.kind) {
    case "row":
      return [[asked.field, { o: asked.operator, v: asked.text, ...n }]];
    case "group":
      return [["OP", { j: asked.join, ...n }], ...asked.parts.flatMap((part) => rowsOf(part)), ["CP", {}]];
    case "changes":
      return [
        ["OP", { j: "AND_G", ...n }],
        ...asked.rows.map(([o, v]) => [asked.field, { o, v }] as const),
        ["CP", {}],
      ];
    default:
      return asked.part.kind === "not" ? rowsOf(asked.part.part, isNegated) : rowsOf(asked.part, !isNegated);
  }
}

function numbered(asked: Asked): Parameters {
  return Object.fromEntries(
    rowsOf(asked).flatMap(([f, more], index) => [
      [`f${index + 1}`, f],
      ...Object.entries(more).map(([name, value]) => [`${name}${index + 1}`, value]),
    ]),
  );
}

const VIEWERS: Readonly<Record<string, Viewer>> = {
  admin: { login: "admin@example.org", isInsider: true, seesPrivateBugs: true },
  alice: { login: "alice@example.org", isInsider: false, seesPrivateBugs: true },
  carol: { login: "carol@example.org", isInsider: false, seesPrivateBugs: false },
  "": { login: "", isInsider: false, seesPrivateBugs: false },
};

test("a random custom search finds what a naive filter finds, for every user", async () => {
  const store = emptyStore();
  const search = searcher(store);
  const bugs = fc.array(randomBug, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(bugs, condition, one(Object.keys(VIEWERS)), async (stored, asked, as) => {
      storeBugs(store, stored);
      const viewer = VIEWERS[as] as Viewer;
      const wanted = stored.flatMap((bug, index) => (meets({ bug, id: index + 1, viewer }, asked) ? [index + 1] : []));
      expect(await search(numbered(asked), as)).toEqual(wanted);
    }),
    { numRuns: much(200, 500) },
  );
}, 60_000);
