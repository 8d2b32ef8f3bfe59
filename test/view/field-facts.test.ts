import { describe, expect, test } from "vitest";
import { bugCard } from "../../src/view/bug-card.ts";
import { defaultBugColumns } from "../../src/view/bug-columns.ts";
import { countTable } from "../../src/view/bug-counts.ts";
import { fieldFacts } from "../../src/view/field-facts.ts";
import { listing, listText } from "../../src/view/listing.ts";
import { BUG_FIELD_ROWS, type Bug } from "../../src/wire/bug-fields.ts";
import type { Field } from "../../src/wire/resources.ts";
import { BUGS, viewOf } from "./samples.ts";

const STANDARD = { id: 1, type: 0, is_custom: false, is_mandatory: false, is_on_bug_entry: true };

function named(names: Readonly<Record<string, string>>): readonly Field[] {
  return Object.entries(names).map(([name, display_name]) => ({
    ...STANDARD,
    name,
    display_name,
    visibility_field: null,
    visibility_values: [],
  }));
}

const RENAMED = named({
  bug_severity: "Impact",
  status_whiteboard: "Notes",
  assigned_to: "Owner",
  dependson: "Waits for",
  target_milestone: "Target Milestone",
});

describe("a standard field that the tracker renamed has that name", () => {
  const bug: Bug = { id: 9, whiteboard: "x", assigned_to: "a@b.org", depends_on: [7], target_milestone: "2.0" };

  test("in cards", () => {
    expect(bugCard({ bug, fields: RENAMED }, viewOf())).toBe(
      "#9\n\nMilestone  2.0\nOwner      a@b.org\nWaits for  #7\nNotes      x\n",
    );
  });

  test("in tables and counts, but not in the keys of other formats", () => {
    const heading = (format: "table" | "csv") => {
      const view = viewOf({ width: 130, terminal: format === "table" });
      return listText(BUGS, listing(format, defaultBugColumns(format, view, RENAMED), view)).split("\n")[0];
    };
    expect(heading("table")).toMatch(/PRIORITY {2,}IMPACT {2,}COMPONENT {2,}OWNER/);
    expect(heading("csv")).toContain("priority,severity,product");
    const counts = countTable(["severity", "status"], RENAMED);
    counts.add(BUGS);
    expect(counts.table(viewOf())).toMatch(/^IMPACT/);
    expect(counts.columns.map(({ name }) => name)).toEqual(["severity", "status", "count"]);
  });
});

describe("the label of a field that is not renamed is bt's own", () => {
  const standard = BUG_FIELD_ROWS.flatMap(([name, { label }]) => (label === undefined ? [] : [[name, label] as const]));

  function labelsBy(fields: readonly Field[]) {
    return standard.map(([name]) => [name, fieldFacts(name, fields).label]);
  }

  test.each([
    ["AssignedTo", "assigned_to"],
    ["OS/Version", "op_sys"],
    ["Status whiteboard", "status_whiteboard"],
    ["", "bug_severity"],
  ])("%j of %s", (display_name, name) => {
    expect(labelsBy(named({ [name]: display_name }))).toEqual(standard);
  });
});
