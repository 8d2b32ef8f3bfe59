import { describe, expect, test } from "vitest";
import { commentsBeforeUpdate, verifyUpdate } from "../../../src/api/delivery/verify-update.ts";
import { stateBefore } from "../../../src/api/delivery/write-state.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { demoScene, PUT } from "./demo-scene.ts";

/** An update of bugs of the demo, with their state before. */
async function scene(body: JsonObject, ids: readonly number[] = [1]) {
  const demo = demoScene();
  const request = PUT(`/rest/bug/${ids[0]}`, { ...body, ids });
  const before = stateBefore(await Promise.all(ids.map(demo.bug)), body);
  demo.pass(10);
  const write = demo.sent(request, { before });
  const apply = (on: readonly number[] = ids, as = demo.ask) => as(PUT(`/rest/bug/${on[0]}`, { ...body, ids: on }));
  return { ...demo, write, apply, verify: () => verifyUpdate(write, demo.context) };
}

const UPDATES: readonly (readonly [string, JsonObject])[] = [
  ["a field", { whiteboard: "seen" }],
  ["a list", { keywords: { add: ["regression"] } }],
  ["a comment", { comment: { body: "Seen again." } }],
  ["a comment with a field", { comment: { body: "Seen again." }, whiteboard: "seen" }],
  ["hours", { work_time: 1.5 }],
];

describe.each(UPDATES)("an update of %s", (_, body) => {
  test("is applied once the tracker shows it", async () => {
    const { apply, verify } = await scene(body);
    await apply();
    expect(await verify()).toMatchObject({ status: "applied", answer: { bugs: [{ id: 1 }] } });
  });

  test("is not applied before", async () => {
    expect(await (await scene(body)).verify()).toEqual({ status: "not-applied" });
  });
});

test("a conflicting change by another user is named and not overwritten", async () => {
  const { askAsOther, verify, pass } = await scene({ whiteboard: "seen" });
  pass(5);
  await askAsOther(PUT("/rest/bug/1", { ids: [1], whiteboard: "theirs" }));
  expect(await verify()).toEqual({
    status: "overwritten",
    details: [expect.stringMatching(/bug 1: ada@example\.org .* to "theirs"/)],
  });
});

test("an update shown by some of its bugs only is a contradiction, since it is one transaction", async () => {
  const { apply, verify } = await scene({ whiteboard: "seen" }, [1, 2]);
  await apply([1]);
  expect(await verify()).toMatchObject({ status: "contradiction" });
});

test("bugs that already had the requested values need no evidence", async () => {
  const { verify } = await scene({ whiteboard: "" }, [1]);
  expect(await verify()).toMatchObject({ status: "applied" });
});

test("existing comments are read first, except on a bug without recent changes", async () => {
  const { ask, write, sent, pass, bug } = await scene({ comment: { body: "Seen again." } });
  expect(await commentsBeforeUpdate(write, ask), "a bug at rest").toBeUndefined();
  await ask(write.request);
  pass(5);
  const before = stateBefore([await bug(1)], {});
  expect(await commentsBeforeUpdate(sent(write.request, { before }), ask)).toHaveLength(1);
});
