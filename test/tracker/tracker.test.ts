import { expect, test } from "vitest";
import type { Store } from "../../src/tracker/store/store.ts";
import { createTracker } from "../../src/tracker/tracker.ts";
import { recordedStore } from "./state.ts";

test("a write that waits for another has the time at which its own turn comes", async () => {
  const clock = { now: new Date("2026-11-20T12:00:00Z") };
  const store = recordedStore();
  const contended: Store = {
    ...store,
    transaction: (mode, work) =>
      store.transaction(mode, () => {
        clock.now = new Date("2026-11-20T12:00:05Z"); // the lock was free only now
        return work();
      }),
  };
  const tracker = createTracker(contended, { now: () => clock.now, random: (bytes) => new Uint8Array(bytes) });
  const id = Number(store.get("SELECT max(id) AS id FROM bugs")?.["id"]);
  const body = { whiteboard: "contended", api_key: "{alice_key}" };
  expect(await tracker({ method: "PUT", path: `/rest/bug/${id}`, query: [], body })).toMatchObject({ status: 200 });
  const { last_change_time } = store.get("SELECT last_change_time FROM bugs WHERE id = ?", [id]) ?? {};
  expect(last_change_time).toBe("2026-11-20T12:00:05Z");
});
