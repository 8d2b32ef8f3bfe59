import { expect, test } from "vitest";
import { openDemoStore } from "../../../src/tracker/open.ts";
import { btConnected } from "../../bt.ts";
import { faultyTracker } from "../../faults/faulty-tracker.ts";
import { offlineDesk } from "../../faults/offline-desk.ts";
import { putMirror } from "../../mirrored.ts";

const MEI = "mei@example.org";

/** Somebody with mirrors of two trackers that have bugs of the same numbers. */
async function twoTrackers() {
  const [one, other] = [await faultyTracker(), await faultyTracker()];
  const desk = await offlineDesk(one);
  const { store, clock, login } = other;
  const opened = openDemoStore(store, { now: clock.now, random: (count) => new Uint8Array(count) });
  const userId = Number(store.get("SELECT id FROM users WHERE login = ?", [login])?.["id"]);
  await putMirror((request) => opened.tracker(request, { address: "127.0.0.1", userId }), {
    ...{ home: desk.home, name: "other", login, now: clock.now, facts: { tracker: other.url } },
  });
  const bt = async (tracker: typeof one, ...lines: readonly string[]) => {
    for (const line of lines) {
      const env = { ...desk.env, BT_BASE_URL: tracker.url, BT_API_KEY: tracker.key };
      const { code, err } = await btConnected(line, { env });
      expect([line, code], err).toEqual([line, 0]);
    }
  };
  const priority = (tracker: typeof one) => tracker.text("SELECT priority FROM bugs WHERE id = 44");
  return { one, other, desk, bt, priority };
}

test("an own change of a bug on one tracker does not hide another user's change of that number on the other", async () => {
  const { one, other, desk, bt, priority } = await twoTrackers();
  await bt(one, "bug update 44 --priority High --offline");
  await bt(other, "bug update 44 --priority Low --offline");
  await bt(one, "job send --all");
  await other.as(MEI, { method: "PUT", path: "/rest/bug/44", body: { priority: "High" } });
  const env = { ...desk.env, BT_BASE_URL: other.url, BT_API_KEY: other.key };
  expect(await btConnected("job send --all", { env })).toMatchObject({
    code: 11,
    err: expect.stringContaining('priority was changed from "Normal" to "High"'),
  });
  expect([priority(one), priority(other)]).toEqual(["High", "High"]);
});

test("an own change of a bug on one tracker is no conflict with an update of that number on the other", async () => {
  const { one, other, bt, priority } = await twoTrackers();
  await bt(one, "bug update 44 --priority High --offline");
  await bt(other, "bug update 44 --priority Low --offline");
  await bt(one, "job send --all");
  await bt(other, "job send --all");
  expect([priority(one), priority(other)]).toEqual(["High", "Low"]);
});

test("a comment that waits for one tracker does not refuse a conditional update on the other", async () => {
  const { one, other, bt, priority } = await twoTrackers();
  await bt(one, "comment add 44 -m Hello --offline");
  await bt(other, "bug update 44 --priority Low --if-unchanged --offline", "job send --all");
  expect(priority(other)).toBe("Low");
});
