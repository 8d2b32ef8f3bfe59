import { expect, test } from "vitest";
import { legalValue, requireField } from "../../../src/api/catalog/catalog.ts";
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
