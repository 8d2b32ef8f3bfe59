import { describe, expect, test } from "vitest";
import { type ChangedThing, changesText, RESULT_COLUMNS } from "../../src/view/changes.ts";
import { columnsNamed } from "../../src/view/column.ts";
import { listing, listText } from "../../src/view/listing.ts";
import { FIELDS, viewOf } from "./samples.ts";

const CHANGED: readonly ChangedThing[] = [
  {
    name: "#12",
    title: "Bookmarks vanish",
    changes: {
      resolution: { removed: "", added: "FIXED" },
      status: { removed: "CONFIRMED", added: "RESOLVED" },
      keywords: { removed: "perf", added: "crash, regression" },
      cf_platforms: { removed: "phone, small", added: "desktop, tv" },
    },
  },
  { name: "#13", changes: {} },
  { name: "#14", changes: {} },
  { name: "core-security", changes: { is_active: { removed: "1", added: "0" } } },
];

describe("the changes of an update", () => {
  test("of one bug are a diff", () => {
    expect(changesText({ changed: CHANGED.slice(0, 1), fields: FIELDS }, viewOf())).toMatchInlineSnapshot(`
      "#12  Bookmarks vanish
        Status              CONFIRMED → RESOLVED
        Resolution          + FIXED
        Keywords            - perf  + crash  + regression
        Affected platforms  - phone, small  + desktop  + tv
      "
    `);
  });

  test("of several bugs are a line each, with the summary in the rest of the width", () => {
    const titled = CHANGED.map((one) =>
      one.title === undefined ? one : { ...one, title: `${one.title} ${"of albums ".repeat(8)}` },
    );
    expect(changesText({ changed: titled, fields: FIELDS }, viewOf())).toMatchInlineSnapshot(`
      "#12            Status CONFIRMED → RESOLVED; Resolution + FIXED; Keywords - perf
                     + crash + regression; Affected platforms - phone, small + desktop
                     + tv
      #13            unchanged
      #14            unchanged
      core-security  Active yes → no
      "
    `);
  });

  test("that has not been sent is marked so", () => {
    expect(changesText({ changed: CHANGED.slice(2), isPreview: true }, viewOf())).toMatchInlineSnapshot(`
      "#14            would not change
      core-security  Active yes → no
      "
    `);
  });

  test("names changes that are not in the list of changes", () => {
    const text = (isPreview: boolean) => {
      const extras = isPreview ? "comment" : "comment added";
      const changed = [{ name: "#13", changes: {}, extras }, ...CHANGED.slice(3).map((one) => ({ ...one, extras }))];
      return changesText({ changed, isPreview }, viewOf());
    };
    expect([text(false), text(true)]).toMatchInlineSnapshot(`
      [
        "#13            comment added
      core-security  Active yes → no (comment added)
      ",
        "#13            with comment
      core-security  Active yes → no (with comment)
      ",
      ]
    `);
  });
});

test("for programs there is one line per object, with wire names and values, in one order", () => {
  const rows = CHANGED.map(({ name, changes }) => ({ id: name.replace("#", ""), changes, result: "done" }));
  const columns = columnsNamed(RESULT_COLUMNS, "id", "result", "changes");
  expect(listText(rows, listing("tsv", columns, viewOf({ terminal: false })))).toBe(
    [
      "12\tdone\tstatus: CONFIRMED -> RESOLVED; resolution: + FIXED; keywords: - perf + crash, regression; cf_platforms: phone, small -> desktop, tv\n",
      "13\tdone\t\n",
      "14\tdone\t\n",
      "core-security\tdone\tis_active: 1 -> 0\n",
    ].join(""),
  );
});
