import { expect, test } from "vitest";
import { changedBugs, currentState, fieldHistory } from "../../../src/api/delivery/update-evidence.ts";
import type { SentWrite } from "../../../src/api/delivery/write.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { demoScene, PUT } from "./demo-scene.ts";

/** An update of two bugs of the demo that is applied, ten seconds after they were read. */
async function scene() {
  const demo = demoScene();
  const body: JsonObject = { ids: [1, 2], whiteboard: "seen" };
  const before = [{ id: 1, whiteboard: "" }];
  demo.pass(10);
  const sent = demo.sent(PUT("/rest/bug/1", body), { before });
  await demo.ask(sent.request);
  return { ...demo, body, write: sent };
}

test("a lost response is rebuilt from the histories of the bugs, using changes by the requester", async () => {
  const { write, context, askAsOther } = await scene();
  await askAsOther(PUT("/rest/bug/2", { ids: [2], url: "https://example.org/" }));
  expect(await changedBugs(write, context)).toMatchObject([
    { id: 1, changes: { whiteboard: { removed: "", added: "seen" } } },
    { id: 2, changes: { whiteboard: { added: "seen" } } },
  ]);
  const [, second] = (await changedBugs(write, context)) as readonly JsonObject[];
  expect(Object.keys(second?.["changes"] as JsonObject)).toEqual(["whiteboard"]);
});

test.each<[string, Partial<SentWrite>]>([
  ["the time of the update", { clock: "database" }],
  ["the bug as it was read", { clock: "date", before: [{ id: 2, last_change_time: "2026-11-20T12:00:05Z" }] }],
])("earlier changes by the requester are not in the rebuilt response, according to %s", async (_, known) => {
  const { sent, ask, context, pass } = demoScene();
  await ask(PUT("/rest/bug/2", { ids: [2], url: "https://example.org/" }));
  pass(10);
  const write = sent(PUT("/rest/bug/2", { ids: [2], whiteboard: "seen" }), known);
  await ask(write.request);
  const [bug] = (await changedBugs(write, context)) as readonly JsonObject[];
  expect(Object.keys(bug?.["changes"] as JsonObject)).toEqual(["whiteboard"]);
});

test("only changes of the named fields count, by any user", async () => {
  const { write, context, askAsOther } = await scene();
  await askAsOther(PUT("/rest/bug/1", { ids: [1], whiteboard: "theirs", url: "https://example.org/" }));
  const rows = await fieldHistory(["whiteboard"], "1", { sent: write, context });
  expect(rows.map(({ who, added }) => [who, added])).toEqual([
    [context.me, "seen"],
    ["ada@example.org", "theirs"],
  ]);
});

test("the state of a bug has the fields that the update sets", async () => {
  const { write: sent, context, body } = await scene();
  expect(await currentState("1", { sent, context, body })).toEqual({ id: 1, whiteboard: "seen" });
});

test("a field that is no longer visible is an invalid response, not a change", async () => {
  const { write: sent, context, body } = await scene();
  const ask = async () => ({ bugs: [{ id: 1 }] });
  const state = currentState("1", { sent, body, context: { ...context, ask } });
  await expect(state).rejects.toMatchObject({ kind: "reply" });
});
