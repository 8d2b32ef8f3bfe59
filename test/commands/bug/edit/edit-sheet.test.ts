import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UPDATE_BUG } from "../../../../src/api/operations/write-bugs.ts";
import { editableFields, fieldText } from "../../../../src/api/write/editable-fields.ts";
import { COMMENT_MARK, readSheet, type Sheet, sheetText } from "../../../../src/commands/bug/edit/sheet.ts";
import { updateFlagsOf } from "../../../../src/commands/bug/edit/update-flags.ts";
import { bodyFrom } from "../../../../src/commands/shared/write-body.ts";
import type { Bug } from "../../../../src/wire/bug-fields.ts";
import type { Flag } from "../../../../src/wire/resources.ts";
import { exampleCatalog } from "../../../api/example-catalog.ts";

const READING = {
  catalog: exampleCatalog,
  clock: { now: new Date("2026-11-20T12:00:00Z"), zone: "UTC" },
  address: "https://bugs.example.org",
  me: () => "mei@example.org",
};

const BUG = {
  ...{ id: 12, alias: [], summary: "Import stops", status: "CONFIRMED", resolution: "", whiteboard: "" },
  ...{ priority: "Normal", assigned_to: "mei@example.org", cc: [], keywords: [], depends_on: [], see_also: [] },
  ...{ flags: [], groups: [], deadline: null, url: "", dupe_of: null, cf_crash_signature: "", cf_platforms: [] },
} as Bug;

function sheetOf(bug: Bug): Sheet {
  return { bug, fields: editableFields(BUG, exampleCatalog) };
}

const LINE = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 6 }),
      fc.constantFrom(
        "|",
        "#",
        "# error: x",
        ": ",
        "\\",
        "\\n",
        "\\t",
        "\t",
        '"',
        ",",
        "  ",
        "status:",
        "\u2028",
        "é\u0301",
      ),
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join("").replace(/(?!\t)[\p{Cc}\p{Cs}]/gu, ""));
const TEXT = fc.array(fc.oneof(LINE, fc.constant(COMMENT_MARK)), { maxLength: 4 }).map((lines) => lines.join("\n"));
const ITEMS = fc.array(
  LINE.filter((text) => !text.includes('"')),
  { maxLength: 4 },
);

/** Bugs with texts that look like parts of a document. */
const HOSTILE = fc
  .record({ summary: LINE, whiteboard: LINE, url: LINE, cf_crash_signature: TEXT, keywords: ITEMS, cc: ITEMS })
  .map((values) => ({ ...BUG, ...values }) as Bug);

/** Changes that editors make in a text that nobody touched. */
const MANGLED: Readonly<Record<string, (text: string) => string>> = {
  nothing: (text) => text,
  "blanks removed at line ends": (text) => text.replace(/[ \t]+(?=\n)/g, ""),
  "CRLF and a byte order mark": (text) => `\ufeff${text.replaceAll("\n", "\r\n")}`,
  "a final line break": (text) => `${text}\n\n`,
};

test.each(Object.entries(MANGLED))("an untouched document has no change: %s", (_, mangle) => {
  fc.assert(
    fc.property(HOSTILE, (bug) => {
      const { cells, problems, comment } = readSheet(mangle(sheetText(sheetOf(bug))), sheetOf(bug));
      expect([cells, problems, comment]).toEqual([[], [], undefined]);
    }),
  );
});

/** A text without what servers and editors do not keep: blanks at its ends, and at the ends of its lines. */
function kept(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  return lines.join("\n").trim();
}

test("every typed text arrives unchanged", () => {
  fc.assert(
    fc.property(HOSTILE, HOSTILE, (before, after) => {
      const sheet = sheetOf(before);
      const { cells, problems } = readSheet(sheetText(sheetOf(after)), sheet);
      expect(problems).toEqual([]);
      for (const { field, text } of cells) expect(kept(text)).toEqual(kept(fieldText(field, after)));
      const changed = sheet.fields.filter((field) => kept(fieldText(field, before)) !== kept(fieldText(field, after)));
      expect(cells.map(({ field }) => field.name)).toEqual(expect.arrayContaining(changed.map(({ name }) => name)));
    }),
  );
});

/** The body of an update for a document with some of its lines replaced. */
function bodyFor(bug: Bug, edit: (text: string) => string) {
  const sheet = sheetOf(bug);
  const { cells, problems } = readSheet(edit(sheetText(sheet)), sheet);
  if (problems.length > 0) return problems;
  return bodyFrom(updateFlagsOf(cells, bug), UPDATE_BUG.parameters, { ...READING, product: undefined });
}

/** An edit that replaces a line. */
function line(name: string, text: string) {
  return (document: string) => document.replace(new RegExp(`^${name}:.*$`, "m"), text);
}

const FLAG = { type_id: 2, creation_date: "", modification_date: "", setter: "tomas@example.org" };
const FLAGS: readonly Flag[] = [
  { ...FLAG, id: 7, name: "needinfo", status: "?", requestee: "mei@example.org" },
  { ...FLAG, id: 8, name: "needinfo", status: "?", requestee: "mei@example.org" },
  { ...FLAG, id: 9, name: "review", status: "?" },
];

describe("changes", () => {
  test.each([
    ["a deleted line is no change", {}, line("summary", ""), {}],
    ["an empty value clears", { whiteboard: "[x]" }, line("whiteboard", "whiteboard:"), { whiteboard: "" }],
    ["an empty date clears", { deadline: "2026-12-01" }, line("deadline", "deadline: "), { deadline: "" }],
    [
      "@me is the requester",
      { assigned_to: "x@y" },
      line("assigned_to", "assigned_to: @me"),
      { assigned_to: "mei@example.org" },
    ],
    [
      "a list becomes what is added and removed",
      { cc: ["ada@example.org", "mei@example.org"] },
      line("cc", "cc: Ada@Example.org, sam@example.org"),
      { cc: { add: ["sam@example.org"], remove: ["mei@example.org"] } },
    ],
    [
      "an empty list removes its items",
      { depends_on: [3, 4] },
      line("depends_on", "depends_on:"),
      { depends_on: { remove: [3, 4] } },
    ],
    [
      "several values of a custom field",
      { cf_platforms: [] },
      (text: string) =>
        line("cf_platforms", `cf_platforms: ${exampleCatalog.byName.get("cf_platforms")?.values[0]?.name}`)(text),
      { cf_platforms: { add: [exampleCatalog.byName.get("cf_platforms")?.values[0]?.name], remove: [] } },
    ],
    [
      "a text of several lines",
      {},
      line("cf_crash_signature", "cf_crash_signature: |\n  one\n\n    two\n"),
      { cf_crash_signature: "one\n\n  two" },
    ],
    [
      "one of two equal flags is cleared",
      { flags: FLAGS },
      line("flags", "flags: needinfo?(mei@example.org), review?"),
      { flags: [{ id: 8, status: "X" }] },
    ],
    [
      "flags are changed by their ids, and added",
      { flags: FLAGS },
      line("flags", "flags: needinfo?(mei@example.org), needinfo?(ada@example.org), review+, landing?"),
      {
        flags: [
          { id: 8, status: "?", requestee: "ada@example.org" },
          { id: 9, status: "+" },
          { name: "landing", status: "?" },
        ],
      },
    ],
    [
      "a reopened bug loses its resolution by itself",
      { status: "RESOLVED", resolution: "FIXED" },
      (text: string) => line("status", "status: CONFIRMED")(line("resolution", "resolution:")(text)),
      { status: "CONFIRMED" },
    ],
  ] as readonly (readonly [string, object, (text: string) => string, object])[])("%s", (...[, bug, edit, body]) => {
    expect(bodyFor({ ...BUG, ...bug } as Bug, edit)).toEqual(body);
  });

  test.each([
    ["summary", "summary:", "the summary is empty"],
    ["assigned_to", "assigned_to:", "is not a login"],
    ["status", "status:", 'unknown status "---"'],
    ["summary", `summary: ${"x".repeat(256)}`, "256 characters"],
    ["summary", "summary: \u001b[2J", "control character"],
  ])("%s as %j is rejected", (name, text, message) => {
    expect(() => bodyFor(BUG, line(name, text))).toThrow(message);
  });

  test.each([
    ["priorty: High", 'no field "priorty" can be changed here; did you mean priority?'],
    ["creator: x@y", 'no field "creator" can be changed here'],
    ["summary: a\nsummary: b", "summary is given twice"],
    ["summary: |\n  a\n  b", "summary takes one line"],
    ["a wrapped line", 'expected "name: value"'],
  ])("the line %j is rejected", (text, message) => {
    expect(bodyFor(BUG, line("summary", text))).toEqual([
      { line: expect.any(Number), message: expect.stringContaining(message) },
    ]);
  });
});

test("fields that cannot be changed, or whose text an editor cannot keep, are not in the document", () => {
  const names = (bug: Bug) => editableFields(bug, exampleCatalog).map(({ name }) => name);
  const { url: _, ...withoutUrl } = BUG;
  expect(names({ ...withoutUrl, summary: "\u001b[2J", keywords: ['a "b", c'] })).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(id|creator|url|summary|keywords)$/)]),
  );
});
