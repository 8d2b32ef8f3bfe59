import { expect, test } from "vitest";
import type { Store } from "../../src/tracker/store/store.ts";
import { createTracker } from "../../src/tracker/tracker.ts";
import { recordedStore } from "./state.ts";

const RUNTIME = { now: () => new Date("2026-11-20T12:00:00Z"), random: (bytes: number) => new Uint8Array(bytes) };
const PLACE = { product: "Firefox", component: "General", version: "121", op_sys: "Linux", platform: "PC" };

/** A tracker that counts its groups; `group` runs one, in place of the store. */
function counting(group = (work: () => unknown, store: Store): unknown => store.groupTransaction(work)) {
  const store = recordedStore();
  const counted = { groups: 0, store };
  const groupTransaction = <T>(work: () => T): T => {
    counted.groups += 1;
    return group(work, store) as T;
  };
  const tracker = createTracker({ ...store, groupTransaction }, RUNTIME);
  const query: [string, string][] = [["api_key", "{alice_key}"]];
  const file = async (summary: string) => {
    const { status } = await tracker({ method: "POST", path: "/rest/bug", query, body: { ...PLACE, summary } });
    return status;
  };
  const found = async () => {
    const search = { method: "GET", path: "/rest/bug", query: [...query, ["summary", "grouped"] as const] };
    const { bugs } = JSON.parse((await tracker(search)).body) as { bugs: { summary: string }[] };
    return bugs.map(({ summary }) => summary);
  };
  return { counted, file, found };
}

const SUMMARIES = ["grouped 1", "grouped 2", "", "grouped 3"]; // a bug needs a summary
const FILED = SUMMARIES.filter(Boolean);

test("writes that wait together are one transaction, from which a refused one is missing, and seen after it", async () => {
  const { counted, file, found } = counting();
  const answers = Promise.all(SUMMARIES.map(file));
  expect(await found()).toEqual([]);
  expect(await answers).toEqual([200, 200, 400, 200]);
  expect([counted.groups, await found()]).toEqual([1, FILED]);
});

test("if the commit of a group fails, each write is applied alone", async () => {
  const { counted, file, found } = counting((work, store) =>
    store.groupTransaction(() => {
      work();
      throw new Error("the disk is full");
    }),
  );
  expect(await Promise.all(SUMMARIES.map(file))).toEqual([200, 200, 400, 200]);
  expect([counted.groups, await found()]).toEqual([1, FILED]);
});
