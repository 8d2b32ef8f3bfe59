import { describe, expect, test } from "vitest";
import { readFields } from "../../src/api/response/response-objects.ts";
import { bugCard } from "../../src/view/bug-card.ts";
import { defaultBugColumns } from "../../src/view/bug-columns.ts";
import { countTable } from "../../src/view/bug-counts.ts";
import { changesText } from "../../src/view/changes.ts";
import { fieldFacts } from "../../src/view/field-facts.ts";
import { listing, listText } from "../../src/view/listing.ts";
import { BUG_FIELD_ROWS, type Bug } from "../../src/wire/bug-fields.ts";
import type { Field } from "../../src/wire/resources.ts";
import { AREAS, readConversation } from "../conformance/conversation.ts";
import { freshDemo } from "../fresh-demo.ts";
import { BUGS, viewOf } from "./samples.ts";

const AROUND = {
  now: () => new Date("2026-11-20T12:00:00Z"),
  random: (count: number) => new Uint8Array(count).fill(7),
};

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

  test("in diffs", () => {
    const changes = { severity: { removed: "normal", added: "major" }, whiteboard: { removed: "", added: "x" } };
    expect(changesText({ changed: [{ name: "#9", changes }], fields: RENAMED }, viewOf())).toBe(
      "#9\n  Impact  normal → major\n  Notes   + x\n",
    );
  });

  test("in tables and counts, but not in the keys of other formats", () => {
    const heading = (format: "table" | "markdown" | "csv") => {
      const view = viewOf({ width: 130, terminal: format === "table" });
      return listText(BUGS, listing(format, defaultBugColumns(format, view, RENAMED), view)).split("\n")[0];
    };
    expect(heading("table")).toMatch(/PRIORITY {2,}IMPACT {2,}COMPONENT {2,}OWNER/);
    expect(heading("markdown")).toContain("| Priority | Impact | Product |");
    expect(heading("csv")).toContain("priority,severity,product");
    const counts = countTable(["severity", "status"], RENAMED);
    counts.add(BUGS);
    expect(counts.table(viewOf())).toMatch(/^IMPACT/);
    expect(counts.columns.map(({ name }) => name)).toEqual(["severity", "status", "count"]);
  });

  test("in the detail of a user, too", () => {
    expect(fieldFacts("assigned_to_detail", RENAMED)).toMatchObject({ label: "Owner", kind: "user" });
  });
});

test("a long name leaves enough room for the cells at 80 columns", () => {
  const fields = named({ priority: "Agreed urgency of this problem for customers" });
  const lines = listText(BUGS, listing("table", defaultBugColumns("table", viewOf(), fields), viewOf())).split("\n");
  expect(lines[0]).toContain("  AGREED URGEN…  ");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines[1]).toContain("3h ago   Bookmarks vanish after a…");
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

  test("on the embedded tracker", async () => {
    const { body } = await freshDemo(AROUND).exchange({
      method: "GET",
      path: "/rest/field/bug",
      query: [],
    });
    const fields = readFields(JSON.parse(String(body)));
    expect(fields.length).toBeGreaterThan(50);
    expect(labelsBy(fields)).toEqual(standard);
  });

  test("on the recorded server", () => {
    const fields = AREAS.flatMap(readConversation).flatMap((step) =>
      "response" in step ? [(step.response.body as { fields?: readonly Field[] }).fields ?? []].flat() : [],
    );
    expect(fields.length).toBeGreaterThan(10);
    expect(labelsBy(fields.filter((field) => field.display_name))).toEqual(standard);
  });
});

test("a field whose name for people is missing keeps our label", () => {
  const nameless = named({ priority: "" }).map(({ display_name: _, ...field }) => field);
  expect(fieldFacts("priority", nameless).label).toBe("Priority");
  expect(fieldFacts("priority", named({ priority: "Urgency" })).label).toBe("Urgency");
});
