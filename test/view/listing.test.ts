import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BugColumn, defaultBugColumns, findBugColumn } from "../../src/view/bug-columns.ts";
import { listing, listText, separateCards } from "../../src/view/listing.ts";
import { FORMATS, type Format, type View } from "../../src/view/view.ts";
import { width as columnsOf } from "../../src/view/wrap.ts";
import type { Bug } from "../../src/wire/bug-fields.ts";
import { BUGS, FIELDS, viewOf } from "./samples.ts";

const pipe = viewOf({ terminal: false });
const ALL: readonly Format[] = FORMATS;

function printed(format: Format, view: View, names: readonly string[] = ["id", "status", "summary"]): string {
  return listText(BUGS, listing(format, columns(names), view));
}

function columns(names: readonly string[]): readonly BugColumn[] {
  return names.map((name) => findBugColumn(name, FIELDS)).filter((column) => column !== undefined);
}

describe("a table at a terminal", () => {
  const table = (view: View) => listText(BUGS, listing("table", defaultBugColumns("table", view), view));

  test("of 80 columns", () => {
    expect(table(viewOf())).toMatchInlineSnapshot(`
      "ID      STATUS       PRIORITY  ASSIGNEE  CHANGED  SUMMARY
      #7      CONFIRMED    Highest   alice     3h ago   Bookmarks vanish after an imp…
      #1202   DUPLICATE    ---       nobody    3mo ago  画面が黒くなる 👩‍❤️‍👨
      #20002  IN_PROGRESS  Low       bob       2y ago   Tabs and \\x1b[31mescapes\\x1b[…
      "
    `);
  });

  test.each([
    [48, "ID STATUS CHANGED SUMMARY"],
    [72, "ID STATUS ASSIGNEE CHANGED SUMMARY"],
    [80, "ID STATUS PRIORITY ASSIGNEE CHANGED SUMMARY"],
  ])("of %i columns has %s, and one less has fewer", (width, names) => {
    const headings = (columns: number) =>
      table(viewOf({ width: columns }))
        .split("\n")[0]
        ?.split(/ +/)
        .join(" ");
    expect(headings(width)).toBe(names);
    expect(headings(width - 1)?.length).toBeLessThan(names.length);
  });

  test("into a pipe is not cut, and has exact times", () => {
    expect(printed("table", pipe, ["id", "last_change_time", "summary"])).toMatchInlineSnapshot(`
      "ID     CHANGED               SUMMARY
      7      2026-11-20T09:00:00Z  Bookmarks vanish after an import of a file that an older version has written
      1202   2026-08-14T23:14:58Z  画面が黒くなる 👩‍❤️‍👨
      20002  2024-02-01T00:00:00Z  Tabs and \\x1b[31mescapes\\x1b[0m, "quotes" | bars\\
      "
    `);
  });

  test("without rows is empty", () => {
    expect(listText([], listing("table", defaultBugColumns("table", viewOf()), viewOf()))).toBe("");
  });

  test("cuts columns that are too many for the terminal, but no number", () => {
    const view = viewOf({ width: 72 });
    const names = "id,status,product,component,version,priority,severity,assigned_to,creator,last_change_time";
    const bug = {
      id: 1000000,
      status: "IN_PROGRESS",
      product: "Lantern",
      component: "Import & Export",
      version: "3.2",
    };
    const people = { priority: "Highest", severity: "blocker", assigned_to: "seun", creator: "jonas" };
    const rows: Bug[] = [{ ...bug, ...people, last_change_time: "2026-11-20T09:00:00Z" }];
    const lines = listText(rows, listing("table", columns(names.split(",")), view))
      .trimEnd()
      .split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^#1000000 {2}IN_P/);
    expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(72);
  });

  test("into a pipe is not cut to its first page", () => {
    const list = listing("table", columns(["status", "id"]), viewOf({ width: Number.POSITIVE_INFINITY }));
    const [first, second] = [[{ id: 1, status: "NEW" }], [{ id: 2, status: "IN_PROGRESS" }]];
    expect(list.head(first) + list.page(first) + list.page(second)).toContain("IN_PROGRESS  #2");
  });

  test("never exceeds the width, whatever the rows", () => {
    const row = fc.record({
      id: fc.nat(9999),
      component: fc.string({ unit: "grapheme" }),
      summary: fc.string({ unit: "grapheme" }),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), fc.integer({ min: 30, max: 100 }), (rows, width) => {
        const text = listText(
          rows as Bug[],
          listing("table", columns(["id", "component", "summary"]), viewOf({ width })),
        );
        expect(text.split("\n").every((line) => columnsOf(line) <= width)).toBe(true);
      }),
    );
  });
});

describe("lines for programs", () => {
  test("tsv escapes tabs and newlines", () => {
    expect(printed("tsv", pipe)).toMatchInlineSnapshot(`
      "7	CONFIRMED	Bookmarks vanish after an import of a file that an older version has written
      1202	RESOLVED	画面が黒くなる 👩‍❤️‍👨
      20002	IN_PROGRESS	Tabs\\tand \\x1b[31mescapes\\x1b[0m, "quotes" | bars\\\\
      "
    `);
  });

  test("csv has a heading and quotes where needed", () => {
    expect(printed("csv", pipe)).toMatchInlineSnapshot(`
      "id,status,summary
      7,CONFIRMED,Bookmarks vanish after an import of a file that an older version has written
      1202,RESOLVED,画面が黒くなる 👩‍❤️‍👨
      20002,IN_PROGRESS,"Tabs	and [31mescapes[0m, ""quotes"" | bars\\"
      "
    `);
  });

  test("csv leaves formulas as they are with --raw", () => {
    const column = { name: "x", heading: "X", value: (row: string) => row };
    expect(listText(["=1+1"], listing("csv", [column], { ...pipe, isRaw: true }))).toBe("x\r\n=1+1\r\n");
  });

  test("csv is exact in a pipe and escaped at a terminal", () => {
    expect([printed("csv", pipe).includes("\u001b"), printed("csv", viewOf()).includes("\u001b")]).toEqual([
      true,
      false,
    ]);
  });

  test.each([
    ["tsv", "\u202eevil\u2066\u200f", "\\u202eevil\\u2066\\u200f\n"],
    ["csv", " leading and trailing ", 'x\r\n" leading and trailing "\r\n'],
    ["csv", "=1+1", "x\r\n'=1+1\r\n"],
    ["csv", "\t@a,b", 'x\r\n"\'\t@a,b"\r\n'],
    ["csv", "'-5", "x\r\n''-5\r\n"],
    ["csv", "---", "x\r\n---\r\n"],
    ["tsv", "=1+1", "=1+1\n"],
  ] as const)("%s writes %j as %j", (format, text, expected) => {
    const column = { name: "x", heading: "X", value: (row: string) => row };
    expect(listText([text], listing(format, [column], pipe))).toBe(expected);
  });

  test("ids has one id per line", () => {
    expect(printed("ids", pipe, ["summary", "id"])).toBe("7\n1202\n20002\n");
  });

  test("ids has a bug of several rows once, also across pages", () => {
    const list = listing("ids", [{ name: "id", heading: "ID", value: (row: number) => row }], pipe);
    expect(list.page([7, 7, 12]) + list.page([12, 7])).toBe("7\n12\n7\n");
  });
});

describe("json", () => {
  test.each([viewOf(), pipe])("page by page is the same as at once, and exact", (view) => {
    const list = listing("json", columns(["id", "summary"]), view);
    const pages =
      list.head(BUGS) + list.page([]) + list.page(BUGS.slice(0, 1)) + list.page(BUGS.slice(1)) + list.tail();
    expect(pages).toBe(printed("json", view, ["id", "summary"]));
    expect(JSON.parse(pages)).toEqual(BUGS.map(({ id, summary }) => ({ id, summary })));
    expect(pages.startsWith(view === pipe ? '[{"id":7,' : '[\n  {\n    "id": 7,\n')).toBe(true);
  });

  test("parses to the exact data, and cannot control a terminal", () => {
    const column = { name: "x", heading: "X", value: (row: string) => row };
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const line = listText([text], listing("ndjson", [column], pipe));
        expect(JSON.parse(line)).toEqual({ x: text });
        expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});

test.each(ALL)("%s has no raw control characters at a terminal", (format) => {
  expect(printed(format, viewOf())).not.toMatch(/(?![\r\n\t])\p{Cc}/u);
});

test.each(ALL)("%s is the same page by page as at once", (format) => {
  const names = ["id", "status", "summary"];
  const list = listing(format, columns(names), viewOf());
  const pages = list.head(BUGS) + BUGS.map((bug) => list.page([bug])).join("") + list.tail();
  expect(pages).toBe(printed(format, viewOf(), names));
});

test("several cards are separated", () => {
  expect(separateCards(["one\n", "two\n"], viewOf({ width: 20 }))).toBe(`one\n\n${"─".repeat(20)}\n\ntwo\n`);
});
