import fc from "fast-check";
import { expect, test } from "vitest";
import { FIELD_NAMES } from "../../../src/wire/search-names.ts";
import { much, sampled } from "../../sampling.ts";
import { type Parameters, searcher } from "./ask.ts";
import { OPERATORS } from "./operators.ts";
import { zebraStore } from "./zebra-store.ts";

// Whatever stands in a parameter is looked for as it is, or refused with a reason; nothing fails inside and nothing is lost.

const store = zebraStore();
const search = searcher(store);
const FAILED_INSIDE = 100500;

const STRINGS = [
  `'"; DROP TABLE bugs; --`,
  "' OR '1'='1",
  "%_\\",
  "*",
  '"',
  'NEAR("a" "b")',
  "a AND OR NOT (b",
  "summary:zebra",
  "^(a+)+$",
  "((((((",
  "[[:alpha:]]{1000}{1000}",
  "\u{1f600} \ud800 \u0000",
  "\u202e\u0007\u001b[31m",
  "__proto__",
  "-1",
  "1e999",
  "999999y",
  "0000-00-00",
  "9999-99-99 99:99:99",
  "%user",
  "%group.%",
  "%group.admin%%",
  "x".repeat(3000),
];

const PARAMETERS = new Set([
  ...FIELD_NAMES.flatMap(({ api, chart }) => [api, chart, `${chart.replaceAll(".", "_")}_type`]),
  ...["quicksearch", "order", "limit", "offset", "j_top", "chfield", "chfieldfrom", "chfieldto", "chfieldvalue"],
  ...["deadlinefrom", "deadlineto", "include_fields", "exclude_fields", "cf_due", "cf_points"],
  ...["f1", "o1", "v1", "n1", "j1", "field0-0-0", "type0-0-0", "value0-0-0", "__proto__", "constructor"],
]);

async function expectSound(parameters: Parameters): Promise<void> {
  const found = await search(parameters);
  const code = "code" in found ? found.code : undefined;
  expect(code, JSON.stringify(parameters).slice(0, 300)).not.toBe(FAILED_INSIDE);
}

const BASE: Parameters = { limit: "5", f1: "short_desc", o1: "substring", v1: "zebra" };

test.each([...PARAMETERS].map((name, at) => ({ name, at })))("S5 hostile strings in $name", async ({ name, at }) => {
  for (const text of sampled(STRINGS, 7, at)) {
    await expectSound({ ...BASE, [name]: text });
  }
  await expectSound({ ...BASE, [name]: STRINGS.slice(0, -1) });
});

test("hostile strings as the value of every operator", async () => {
  const fields = ["short_desc", "assigned_to", "keywords", "delta_ts", "bug_id"];
  for (const [at, o1] of Object.values(OPERATORS).flat().entries()) {
    for (const [next, f1] of fields.entries()) {
      for (const v1 of sampled(STRINGS, 8, at + next)) {
        await expectSound({ f1, o1, v1, limit: "1" });
      }
    }
  }
}, 60_000);

test("random strings in all parameters", async () => {
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 20 }), fc.constantFrom(...STRINGS.slice(0, -1)));
  const fields = fc.constantFrom(...FIELD_NAMES.map(({ chart }) => chart));
  const operators = fc.constantFrom(...Object.values(OPERATORS).flat());
  await fc.assert(
    fc.asyncProperty(fields, operators, fc.tuple(text, text), async (f1, o1, [v1, quicksearch]) => {
      await expectSound({ f1, o1, v1, limit: "3" });
      await expectSound({ quicksearch, order: v1, limit: "3" });
    }),
    { numRuns: much(50, 300) },
  );
}, 60_000);

test("S5 a text with special characters of SQL, patterns and full text is found verbatim", async () => {
  store.run("UPDATE bugs SET summary = ? WHERE id = 20002", [`100%_\\ 'q' "d" [x] (y) *z*`]);
  for (const v1 of ["%_\\", "'q'", '"d"', "[x]", "(y) *z*"]) {
    expect(await search({ f1: "short_desc", o1: "substring", v1 })).toEqual([20002]);
  }
  expect(await search({ f1: "short_desc", o1: "substring", v1: "_q_" })).toEqual([]);
});

const BEYOND_ASCII = "Über [Straße] été? Ωμέγα*";

test.each([
  ["substring", "ÜBER [straße]", true],
  ["substring", "ÉTÉ? ω", true],
  ["equals", BEYOND_ASCII.toLowerCase(), true],
  ["equals", "über*", false],
  ["anyexact", `x, ${BEYOND_ASCII.toLowerCase()}`, true],
  ["anywordssubstr", "qqq ÉTÉ", true],
  ["allwords", "straße ÜBER", true],
  ["substring", "ete", false],
  ["casesubstring", "ÉTÉ", false],
])("%s %j finds a text in any case: %j", async (o1, v1, isFound) => {
  store.run("UPDATE bugs SET summary = ? WHERE id = 20002", [BEYOND_ASCII]);
  expect(await search({ f1: "short_desc", o1, v1 })).toEqual(isFound ? [20002] : []);
});

test("a pathological pattern takes time linear in the length of the text", async () => {
  const comment = store.run(
    "INSERT INTO comments (bug_id, creator_id, creation_time, text) VALUES (20002, 2, '2026-11-20T05:58:00Z', ?)",
    [`${"a".repeat(60_000)}!`],
  );
  for (const v1 of ["^(a+)+$", "^(a|aa)+$", "(a*)*b", "^(.*a){20}$"]) {
    expect(await search({ f1: "longdesc", o1: "regexp", v1, f2: "bug_id", o2: "equals", v2: "20002" })).toEqual([]);
  }
  store.run("DELETE FROM comments WHERE id = ?", [comment.id]);
});
