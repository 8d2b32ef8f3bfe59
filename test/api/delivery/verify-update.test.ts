import { describe, expect, test } from "vitest";
import { commentsBeforeUpdate, verifyUpdate } from "../../../src/api/delivery/verify-update.ts";
import { stateBefore } from "../../../src/api/write/write-state.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { demoScene, PUT } from "./demo-scene.ts";

/** An update of bugs of the demo, with their state before. */
async function scene(body: JsonObject, ids: readonly number[] = [1]) {
  const demo = demoScene();
  const request = PUT(`/rest/bug/${ids[0]}`, { ...body, ids });
  const before = stateBefore(await Promise.all(ids.map(demo.bug)), body);
  demo.pass(10);
  const write = demo.sent(request, { before });
  const apply = (on: readonly number[] = ids, as = demo.send) => as(PUT(`/rest/bug/${on[0]}`, { ...body, ids: on }));
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
    expect(await verify()).toMatchObject({ status: "applied", response: { bugs: [{ id: 1 }] } });
  });

  test("is not found before", async () => {
    expect(await (await scene(body)).verify()).toMatchObject({ status: "not-found" });
  });
});

test("a change by another user since is shown, and hides nothing that the history has", async () => {
  const { apply, askAsOther, verify, pass } = await scene({ whiteboard: "seen" });
  pass(5);
  await askAsOther(PUT("/rest/bug/1", { ids: [1], whiteboard: "theirs" }));
  expect(await verify()).toEqual({ status: "not-found", details: ['bug 1: whiteboard is now "theirs"'] });
  await apply();
  await askAsOther(PUT("/rest/bug/1", { ids: [1], whiteboard: "theirs again" }));
  expect(await verify()).toMatchObject({ status: "applied" });
});

test("an update shown by some of its bugs only is ambiguous, since it is one transaction", async () => {
  const { apply, verify } = await scene({ whiteboard: "seen" }, [1, 2]);
  await apply([1]);
  expect(await verify()).toMatchObject({ status: "ambiguous" });
});

test("hours of other confirmed writes do not count", async () => {
  const { apply, write, verify, context } = await scene({ work_time: 1.5 });
  await apply();
  expect(await verify()).toMatchObject({ status: "applied" });
  const confirmed = () => [{ ...write, response: { bugs: [] } }];
  expect(await verifyUpdate(write, { ...context, confirmed })).toEqual({ status: "not-found" });
});

test("bugs that already had the requested values need no evidence", async () => {
  const { verify } = await scene({ whiteboard: "" }, [1]);
  expect(await verify()).toMatchObject({ status: "applied" });
});

test("existing comments are read first, except on a bug without recent changes", async () => {
  const { send, write, sent, pass, bug } = await scene({ comment: { body: "Seen again." } });
  expect(await commentsBeforeUpdate({ ...write, since: "2026-11-20T12:00:05Z" }, send), "a bug at rest").toEqual([]);
  await send(write.request);
  pass(5);
  const before = stateBefore([await bug(1)], {});
  expect(await commentsBeforeUpdate(sent(write.request, { before }), send)).toHaveLength(1);
});

describe("the response of an applied update", () => {
  const UPDATE = PUT("/rest/bug/1", { ids: [1, 2], whiteboard: "seen" });
  const changesIn = (verified: unknown) => {
    const { response } = verified as { response: { bugs: readonly { changes: JsonObject }[] } };
    return response.bugs.map(({ changes }) => Object.keys(changes));
  };

  test("has the requester's changes of each bug", async () => {
    const { send, askAsOther, sent, context } = demoScene();
    const write = sent(UPDATE, { before: [{ id: 1, whiteboard: "" }] });
    await send(UPDATE);
    await askAsOther(PUT("/rest/bug/2", { ids: [2], url: "https://example.org/" }));
    const verified = await verifyUpdate(write, context);
    expect(verified).toMatchObject({
      response: { bugs: [{ id: 1, changes: { whiteboard: { removed: "", added: "seen" } } }, { id: 2 }] },
    });
    expect(changesIn(verified)).toEqual([["whiteboard"], ["whiteboard"]]);
  });

  test.each([
    ["since the bug was read", [{ id: 2, whiteboard: "", last_change_time: "2026-11-20T12:00:05Z" }]],
    ["of the last second, if it was not", undefined],
  ])("has those %s", async (_, before) => {
    const { sent, send, context, pass } = demoScene();
    await send(PUT("/rest/bug/2", { ids: [2], url: "https://example.org/" }));
    pass(10);
    const update = PUT("/rest/bug/2", { ids: [2], whiteboard: "seen" });
    const write = sent(update, { before });
    await send(update);
    expect(changesIn(await verifyUpdate(write, context))).toEqual([["whiteboard"]]);
  });
});

test("a comment takes no changes of the second in which the bug was read", async () => {
  const { send, sent, context, bug } = demoScene();
  await send(PUT("/rest/bug/1", { ids: [1], url: "https://example.org/", priority: "High" }));
  const update = PUT("/rest/bug/1", { ids: [1], priority: "High", comment: { body: "Same second." } });
  const write = sent(update, { before: stateBefore([await bug(1)], { priority: "High" }), alike: [] });
  await send(update);
  expect(await verifyUpdate(write, context)).toMatchObject({
    status: "applied",
    response: { bugs: [{ id: 1, changes: {} }] },
  });
});

test("what other bugs change of a bug is not of its update", async () => {
  const { write, context } = await scene({ whiteboard: "seen" });
  const changes = [
    { field_name: "duplicates", removed: "", added: "60" },
    { field_name: "whiteboard", removed: "", added: "seen" },
  ];
  const history = [{ when: "2026-11-20T12:00:10Z", who: "mei@example.org", changes }];
  const send = async () => ({ bugs: [{ id: 1, alias: [], whiteboard: "seen", history }] });
  expect(await verifyUpdate(write, { ...context, me: "mei@example.org", send })).toEqual({
    status: "applied",
    response: {
      bugs: [
        {
          ...{ id: 1, alias: [], last_change_time: "2026-11-20T12:00:10Z" },
          changes: { whiteboard: { removed: "", added: "seen" } },
        },
      ],
    },
  });
});

test("a field that is no longer visible is an invalid response, not a change", async () => {
  const { write, context } = await scene({ whiteboard: "seen" });
  const send = async () => ({ bugs: [{ id: 1 }] });
  await expect(verifyUpdate(write, { ...context, send })).rejects.toMatchObject({ kind: "reply" });
});
