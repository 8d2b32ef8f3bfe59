import { expect, test } from "vitest";
import { ROUTES } from "../../src/tracker/routes.ts";
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

test("the last audit is the last change of the setup, by whatever route; there is none before", async () => {
  const unaudited = ROUTES.filter(({ method, isAudited }) => method !== "GET" && !isAudited);
  expect(unaudited.filter(({ path }) => !/^\/bug(?![a-z])|^\/bug_user_last_visit\//.test(path))).toEqual([]);
  const store = recordedStore();
  store.exec("DELETE FROM audit");
  const tracker = createTracker(store, {
    now: () => new Date("2026-11-20T12:00:00Z"),
    random: (bytes) => new Uint8Array(bytes),
  });
  const lastAudit = async () =>
    JSON.parse((await tracker({ method: "GET", path: "/rest/last_audit_time", query: [] })).body);
  expect(await lastAudit()).toEqual({ last_audit_time: null });
  const group = { name: "qa", description: "QA" };
  const create = async (api_key: string) =>
    tracker({ method: "POST", path: "/rest/group", query: [], body: { ...group, api_key } });
  expect(await create("{alice_key}")).toMatchObject({ status: 401 });
  expect(await lastAudit()).toEqual({ last_audit_time: null });
  expect(await create("{admin_key}")).toMatchObject({ status: 201 });
  expect(await lastAudit()).toEqual({ last_audit_time: "2026-11-20T12:00:00Z" });
});
