import { describe, expect, test } from "vitest";
import {
  commentsBeforeAttachmentUpdate,
  isCreatedResponse,
  matchingAttachmentsBefore,
  verifyAttachmentCreate,
  verifyAttachmentUpdate,
} from "../../../src/api/delivery/verify-attachment.ts";
import type { SendRequest } from "../../../src/api/operations/operation.ts";
import type { Json, JsonObject } from "../../../src/wire/exchange.ts";
import { demoScene, POST, PUT } from "./demo-scene.ts";

const FILE = { ids: [12], data: "aGVsbG8K", file_name: "a.txt", summary: "A file", content_type: "text/plain" };
const ADD = POST("/rest/bug/12/attachment", FILE);

test.each<[Json, boolean]>([
  [{ ids: [4] }, true],
  [{ ids: ["4"] }, true],
  [{ ids: [] }, false],
  [{ ids: [4, 5] }, false],
  [{ ids: [0] }, false],
  [{ id: 4 }, false],
])("%j is the response to a new attachment: %s", (response, is) => {
  expect(isCreatedResponse(response, ADD)).toBe(is);
});

test("a new attachment on two bugs has two ids, and is not verified by one", async () => {
  const onTwo = POST("/rest/bug/12/attachment", { ...FILE, ids: [12, 13] });
  expect([isCreatedResponse({ ids: [4, 5] }, onTwo), isCreatedResponse({ ids: [4] }, onTwo)]).toEqual([true, false]);
  const { sent, context } = demoScene();
  expect(await verifyAttachmentCreate(sent(onTwo), context)).toEqual({ status: "unverifiable" });
});

describe("a new attachment is verified by creator, name, size and summary", () => {
  test.each<[string, JsonObject | undefined, string]>([
    ["the same", {}, "applied"],
    ["none", undefined, "not-found"],
    ["another name", { file_name: "b.txt" }, "not-found"],
    ["another size", { data: "aGVsbG8=" }, "not-found"],
    ["another summary", { summary: "B" }, "not-found"],
    ["a private one", { is_private: true }, "applied"],
  ])("there is %s", async (...[, stored, status]) => {
    const { sent, send, context } = demoScene();
    const write = sent(ADD);
    if (stored) await send(POST("/rest/bug/12/attachment", { ...FILE, ...stored }));
    const verified = await verifyAttachmentCreate(write, context);
    expect(verified).toMatchObject({ status, ...(status === "applied" ? { response: { ids: [4] } } : {}) });
  });

  test.each<[string, (attachment: JsonObject) => JsonObject, string]>([
    ["a size", ({ size: _, ...rest }) => rest, "applied"],
    ["a name", ({ file_name: _, ...rest }) => rest, "reply"],
    ["a summary", ({ summary: _, ...rest }) => rest, "reply"],
  ])("the tracker returns attachments without %s", async (_, without, outcome) => {
    const { sent, send, context } = demoScene();
    const write = sent(ADD);
    await send(ADD);
    const sendCut: SendRequest = async (request) => {
      const { bugs } = (await send(request)) as { bugs: Record<string, JsonObject[]> };
      return { bugs: Object.fromEntries(Object.entries(bugs).map(([id, list]) => [id, list.map(without)])) };
    };
    const verified = verifyAttachmentCreate(write, { ...context, send: sendCut });
    expect(await verified.then(({ status }) => status).catch(({ kind }) => kind)).toBe(outcome);
  });

  test("one of another user does not count", async () => {
    const { sent, askAsOther, context } = demoScene();
    const write = sent(ADD);
    await askAsOther(ADD);
    expect(await verifyAttachmentCreate(write, context)).toEqual({ status: "not-found" });
  });

  test("one that existed before does not count", async () => {
    const { sent, send, context, pass } = demoScene();
    await send(ADD);
    pass(5);
    const alike = await matchingAttachmentsBefore(sent(ADD), send);
    expect(alike).toEqual([4]);
    expect(await verifyAttachmentCreate(sent(ADD, { alike }), context)).toEqual({ status: "not-found" });
  });

  test("the attachment of another write does not count", async () => {
    const { sent, send, context } = demoScene();
    const write = sent(ADD);
    const response = await send(ADD);
    const confirmed = () => [{ ...write, response }];
    expect(await verifyAttachmentCreate(write, { ...context, confirmed })).toEqual({ status: "not-found" });
  });

  test("two of them are ambiguous", async () => {
    const { sent, send, context } = demoScene();
    const write = sent(ADD);
    await send(ADD);
    await send(ADD);
    expect(await verifyAttachmentCreate(write, context)).toMatchObject({ status: "ambiguous" });
  });
});

describe("an update of attachments is verified", () => {
  const UPDATE = PUT("/rest/bug/attachment/2", { ids: [2, 3], is_obsolete: true });
  const before = [
    { id: 2, is_obsolete: 0 },
    { id: 3, is_obsolete: 0 },
  ];

  test("by the current values, with the changes in the response", async () => {
    const { sent, send, context } = demoScene();
    const write = sent(UPDATE, { before });
    expect(await verifyAttachmentUpdate(write, context)).toEqual({ status: "not-found", details: [] });
    await send(UPDATE);
    const changes = { is_obsolete: { removed: "0", added: "1" } };
    expect(await verifyAttachmentUpdate(write, context)).toMatchObject({
      status: "applied",
      response: {
        attachments: [
          { id: 2, changes },
          { id: 3, changes },
        ],
      },
    });
  });

  test("by all of them: one with the new value may be another user's change", async () => {
    const { sent, askAsOther, context } = demoScene();
    const write = sent(UPDATE, { before });
    await askAsOther(PUT("/rest/bug/attachment/3", { ids: [3], is_obsolete: true }));
    expect(await verifyAttachmentUpdate(write, context)).toMatchObject({ status: "not-found" });
  });

  test("with the value that another user set meanwhile", async () => {
    const { sent, send, context } = demoScene();
    const rename = PUT("/rest/bug/attachment/3", { ids: [3], summary: "Mine" });
    await send(PUT("/rest/bug/attachment/3", { ids: [3], summary: "Theirs" }));
    const write = sent(rename, { before: [{ id: 3, summary: "Read catalogues of two versions ago" }] });
    expect(await verifyAttachmentUpdate(write, context)).toEqual({
      status: "not-found",
      details: ['attachment 3: summary is now "Theirs"'],
    });
  });

  test("by its comment, which another one with the same text is not", async () => {
    const { sent, send, context, pass } = demoScene();
    const say = PUT("/rest/bug/attachment/3", { ids: [3], comment: "Seen." });
    await send(say);
    pass(5);
    const alike = await commentsBeforeAttachmentUpdate(sent(say), send);
    const write = sent(say, { alike });
    expect(alike).toHaveLength(1);
    expect(await verifyAttachmentUpdate(write, context)).toEqual({ status: "not-found" });
    await send(say);
    expect(await verifyAttachmentUpdate(write, context)).toMatchObject({ status: "applied" });
  });

  test("not by a comment on the bug with the same text", async () => {
    const { sent, send, context } = demoScene();
    const write = sent(PUT("/rest/bug/attachment/3", { ids: [3], comment: "Seen." }));
    await send(POST("/rest/bug/21/comment", { comment: "Seen." }));
    expect(await verifyAttachmentUpdate(write, context)).toEqual({ status: "not-found" });
  });
});
