import { describe, expect, test } from "vitest";
import { describeSetup } from "../../../src/tracker/admin/describe-setup.ts";
import { openDemo } from "../../../src/tracker/demo/demo.ts";
import { applyDefaults } from "../../../src/tracker/setup/defaults.ts";
import { applySetup } from "../../../src/tracker/setup/setup.ts";
import { openStore, type Store } from "../../../src/tracker/store/store.ts";

function demo(): Store {
  return openDemo(new Date("2026-11-20T12:00:00Z"));
}

describe("a setup read back", () => {
  test("changes nothing when it is applied again", () => {
    const store = demo();
    const before = describeSetup(store);
    applySetup(store, before);
    expect(describeSetup(store)).toEqual(before);
  });

  test("makes an empty tracker equal to its source", () => {
    const setup = describeSetup(demo());
    const empty = openStore(":memory:");
    applyDefaults(empty);
    applySetup(empty, setup);
    expect(describeSetup(empty)).toEqual(setup);
  });
});
