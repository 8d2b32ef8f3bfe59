import { describe, expect, test } from "vitest";
import { fillDemo } from "../../../src/tracker/seed/demo.ts";
import { layBasis } from "../../../src/tracker/setup/basis.ts";
import { describeSetup } from "../../../src/tracker/setup/describe.ts";
import { applySetup } from "../../../src/tracker/setup/setup.ts";
import { openStore, type Store } from "../../../src/tracker/store/store.ts";

function demo(): Store {
  const store = openStore(":memory:");
  fillDemo(store, new Date("2026-11-20T12:00:00Z"));
  return store;
}

describe("an arrangement read back", () => {
  test("changes nothing when it is applied again", () => {
    const store = demo();
    const before = describeSetup(store);
    applySetup(store, before);
    expect(describeSetup(store)).toEqual(before);
  });

  test("makes an empty tracker like the one that it was read from", () => {
    const setup = describeSetup(demo());
    const empty = openStore(":memory:");
    layBasis(empty);
    applySetup(empty, setup);
    expect(describeSetup(empty)).toEqual(setup);
  });
});
