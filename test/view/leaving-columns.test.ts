import { describe, expect, test } from "vitest";
import { attachmentColumns } from "../../src/view/attachments.ts";
import { findBugColumn } from "../../src/view/bug-columns.ts";
import { type Column, filledColumns } from "../../src/view/column.ts";
import { listing, listText } from "../../src/view/listing.ts";
import { GROUP_COLUMNS, USER_COLUMNS } from "../../src/view/people.ts";
import { productColumns } from "../../src/view/products.ts";
import type { View } from "../../src/view/view.ts";
import type { Attachment, Group, TrackerProduct, UserAccount } from "../../src/wire/resources.ts";
import { viewOf } from "./samples.ts";

const FILE: Partial<Attachment> = {
  ...{ id: 3, bug_id: 21, file_name: "0001-read-catalogues-of-two-versions-ago.patch", summary: "Read old catalogues" },
  ...{ content_type: "text/plain", is_patch: 1, size: 494, creator: "ada@example.org" },
  creation_time: "2026-09-20T12:00:00Z",
};
const GROUP: Group = { id: 12, name: "release-drivers", description: "Decide what is released", is_active: true };
const PRODUCTS: readonly TrackerProduct[] = [
  { id: 1, name: "Lantern", classification: "Unclassified", is_active: true, description: "The photo organiser" },
  { id: 2, name: "Harbor", classification: "Unclassified", is_active: false, description: "The sync server" },
];
const USER: UserAccount = {
  id: 6,
  name: "jonas@example.org",
  real_name: "Jonas Weber",
  groups: [{ id: 8, name: "editbugs" }],
};

function lines<Row>(rows: readonly Row[], columns: readonly Column<Row>[], view: View): readonly string[] {
  return listText(rows, listing("table", columns, view))
    .trimEnd()
    .split("\n");
}

function head(line: string | undefined): string {
  return line?.trim().replace(/ {2,}/g, " | ") ?? "";
}

test("a deadline is whole in a list of more columns than fit", () => {
  const columns = ["product", "component", "deadline", "assigned_to", "whiteboard", "summary"].flatMap(
    (name) => findBugColumn(name, [], viewOf({ width: 66 })) ?? [],
  );
  const long = "a value that is long";
  const bug = { id: 1, product: long, component: long, deadline: "2027-01-31", assigned_to: long, whiteboard: long };
  expect(lines([{ ...bug, summary: long }], columns, viewOf({ width: 66 }))[1]).toContain(" 2027-01-31 ");
});

describe("the columns that leave a terminal of 40 columns", () => {
  const narrow = viewOf({ width: 40 });
  test.each([
    ["attachments", lines([FILE], attachmentColumns([FILE], narrow), narrow), "ID | FILE | SUMMARY | TYPE"],
    ["groups", lines([GROUP], GROUP_COLUMNS, narrow), "ID | NAME | DESCRIPTION"],
    ["products", lines(PRODUCTS, productColumns(PRODUCTS), narrow), "ID | NAME | ACTIVE | DESCRIPTION"],
    ["users", lines([USER], filledColumns(USER_COLUMNS, [USER], narrow), narrow), "ID | LOGIN | NAME"],
  ])("%s", (_, shown, wanted) => {
    expect(head(shown[0])).toBe(wanted);
    expect(Math.max(...shown.map((line) => line.length))).toBeLessThanOrEqual(40);
  });
});

test("a wide terminal and a pipe have all columns", () => {
  const all = USER_COLUMNS.map(({ heading }) => heading.toUpperCase()).join(" | ");
  expect(head(lines([USER], USER_COLUMNS, viewOf({ width: 100 }))[0])).toBe(all);
  expect(head(lines([USER], USER_COLUMNS, viewOf({ width: 40, terminal: false }))[0])).toBe(all);
});
