import { expect, test } from "vitest";
import { findField, requireField } from "../../../src/api/catalog/catalog.ts";
import { legalValue, statusMoves, statusNames } from "../../../src/api/catalog/legal-values.ts";
import { BtError } from "../../../src/errors.ts";
import { exampleCatalog as catalog } from "../example-catalog.ts";

function complaint(run: () => unknown): string {
  try {
    return `no error but ${JSON.stringify(run())}`;
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return `${error.kind}: ${error.message} | ${error.facts.hint}`;
  }
}

test.each([
  ["status", "bug_status"],
  ["bug_status", "bug_status"],
  ["Status Whiteboard", "status_whiteboard"],
  ["milestone", "target_milestone"],
  ["op-sys", "op_sys"],
  ["Due by", "cf_due"],
  ["CF_DUE", "cf_due"],
  ["reporter", "reporter"],
  ["tag", "tag"],
])("the field %s is %s", (name, chart) => {
  expect(requireField(catalog, name).chart).toBe(chart);
});

test("an unknown field is rejected with the nearest names", () => {
  expect(complaint(() => requireField(catalog, "stauts"))).toMatchInlineSnapshot(
    `"usage: unknown field "stauts" | did you mean status?"`,
  );
  expect(complaint(() => requireField(catalog, "__proto__"))).toMatchInlineSnapshot(
    `"usage: unknown field "__proto__" | bt field list shows the fields"`,
  );
  expect(complaint(() => requireField(catalog, "by"))).toBe(
    `usage: unknown field "by" | quote a name of several words: '"Due by":VALUE'; or cf_due:VALUE`,
  );
  expect(findField(catalog, "constructor")).toBeUndefined();
});

test("an illegal value is rejected with the nearest values", () => {
  expect(complaint(() => legalValue(requireField(catalog, "status"), "CONFRIMED"))).toMatchInlineSnapshot(
    `"usage: unknown status "CONFRIMED" | did you mean CONFIRMED? others: UNCONFIRMED, IN_PROGRESS, RESOLVED, VERIFIED"`,
  );
  expect(complaint(() => legalValue(requireField(catalog, "status"), "nosuch"))).toMatchInlineSnapshot(
    `"usage: unknown status "nosuch" | valid values: UNCONFIRMED, CONFIRMED, IN_PROGRESS, RESOLVED, VERIFIED"`,
  );
  expect(complaint(() => legalValue(requireField(catalog, "product"), "Fierfox"))).toMatchInlineSnapshot(
    `"usage: unknown product "Fierfox" | did you mean Firefox? others: Archive, Internal, Retired, TestProduct, Toolkit, Vault"`,
  );
  expect(complaint(() => legalValue(requireField(catalog, "component"), "boomarks"))).toMatchInlineSnapshot(
    `"usage: unknown component "boomarks" | did you mean Bookmarks? others: TestComponent, General, Legacy Parts, Networking, "New Tab, Start/Home & More", Theme, Alerts, Places, Startup, Keys"`,
  );
  expect(complaint(() => legalValue(requireField(catalog, "keywords"), ""))).toMatchInlineSnapshot(
    `"usage: unknown keyword "" | valid values: crash, good-first-bug, perf, regression"`,
  );
});

test("the metadata tells which statuses are open, initial and reachable", () => {
  expect(statusNames(catalog, "open")).toEqual(["UNCONFIRMED", "CONFIRMED", "IN_PROGRESS"]);
  expect(statusNames(catalog, "closed")).toEqual(["RESOLVED", "VERIFIED"]);
  expect(catalog.starts.map(({ name }) => name)).toEqual(["UNCONFIRMED", "CONFIRMED", "IN_PROGRESS"]);
  expect(statusMoves(catalog, "CONFIRMED")).toEqual([
    { name: "IN_PROGRESS", comment_required: false },
    { name: "RESOLVED", comment_required: false },
  ]);
});
