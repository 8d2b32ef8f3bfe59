import fc from "fast-check";
import { expect, test } from "vitest";
import { findColumns } from "../../../../src/commands/bug/import/columns.ts";
import { cellItems } from "../../../../src/commands/bug/import/file.ts";
import { COMMENT_MARK, columnText, readSheet, sheetText } from "../../../../src/commands/bug/write/edit.ts";
import type { Bug } from "../../../../src/wire/bug-fields.ts";
import { exampleCatalog } from "../../../api/example-catalog.ts";

const NAMES = ["summary", "status", "priority", "whiteboard", "url", "keywords", "cc", "cf_crash_signature"];
const BUG = {
  ...{ id: 12, summary: "Import stops", status: "CONFIRMED", whiteboard: "", priority: "Normal", cc: [], keywords: [] },
  ...{ url: "", cf_crash_signature: "" },
} as Bug;

const COLUMNS = findColumns(NAMES, exampleCatalog);

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
      const { cells, comment } = readSheet(mangle(sheetText(bug, COLUMNS)), bug, COLUMNS);
      expect([cells, comment]).toEqual([[], undefined]);
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
      const { cells } = readSheet(sheetText(after, COLUMNS), before, COLUMNS);
      for (const { column, cell } of cells) expect(kept(String(cell))).toEqual(kept(columnText(column, after)));
      const changed = COLUMNS.filter((one) => kept(columnText(one, before)) !== kept(columnText(one, after)));
      expect(cells.map(({ column }) => column.name)).toEqual(expect.arrayContaining(changed.map(({ name }) => name)));
    }),
  );
});

test("items of a list arrive unchanged, with commas and quotes", () => {
  const items = ["a, b", 'a "b"', "c", " d"];
  const [column] = COLUMNS.filter(({ name }) => name === "cc");
  expect(column && cellItems(columnText(column, { ...BUG, cc: items } as Bug))).toEqual([...items].sort());
});

test.each([
  ["priorty: High", 'no field "priorty" can be changed here'],
  ["creator: x@y", 'no field "creator" can be changed here'],
  ["summary: a\nsummary: b", "summary is given twice"],
  ["summary: |\n  a\n  b", "summary takes one line"],
  ["a wrapped line", 'expected "name: value", got "a wrapped line"'],
])("the line %j is rejected", (text, message) => {
  const document = sheetText(BUG, COLUMNS).replace(/^summary:.*$/m, text);
  expect(() => readSheet(document, BUG, COLUMNS)).toThrow(message);
});

test("a deleted line is no change", () => {
  expect(readSheet(sheetText(BUG, COLUMNS).replace(/^summary:.*\n/m, ""), BUG, COLUMNS).cells).toEqual([]);
});
