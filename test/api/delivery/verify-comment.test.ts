import { describe, expect, test } from "vitest";
import {
  isTagsResponse,
  matchingCommentsBefore,
  storedSummary,
  verifyCommentCreate,
  verifyTags,
} from "../../../src/api/delivery/verify-comment.ts";
import { demoScene, POST, PUT } from "./demo-scene.ts";

const ADD = POST("/rest/bug/1/comment", { comment: "Seen again.\r\n", is_private: false });

async function add(as: (request: typeof ADD) => Promise<unknown>): Promise<number> {
  return ((await as(ADD)) as { id: number }).id;
}

describe("a comment", () => {
  test("is found if added", async () => {
    const { sent, send, context } = demoScene();
    const write = sent(ADD);
    const id = await add(send);
    expect(await verifyCommentCreate(write, context)).toEqual({ status: "applied", response: { id } });
  });

  test("is not found if not added", async () => {
    const { sent, context } = demoScene();
    expect(await verifyCommentCreate(sent(ADD), context)).toEqual({ status: "not-found" });
  });

  test("does not match a comment of another user", async () => {
    const { sent, askAsOther, context } = demoScene();
    const write = sent(ADD);
    await add(askAsOther);
    expect(await verifyCommentCreate(write, context)).toEqual({ status: "not-found" });
  });

  test("is found with another privacy, which is reported, unless another one has its own", async () => {
    const { sent, send, context } = demoScene();
    const write = sent(POST("/rest/bug/1/comment", { comment: "Seen again.", is_private: true }));
    const id = await add(send);
    const details = [`comment ${id} is public`];
    expect(await verifyCommentCreate(write, context)).toEqual({ status: "applied", response: { id }, details });
    const { id: own } = (await send(write.request)) as { id: number };
    expect(await verifyCommentCreate(write, context)).toEqual({ status: "applied", response: { id: own } });
  });

  test("is found as the tracker stored it, and that is reported", async () => {
    const { sent, send, context } = demoScene();
    const { id } = (await send(POST("/rest/bug/1/comment", { comment: "Déjà vu ????" }))) as { id: number };
    expect(await verifyCommentCreate(sent(POST("/rest/bug/1/comment", { comment: "Déjà vu 👻" })), context)).toEqual({
      status: "applied",
      response: { id },
      details: [`comment ${id} is stored as "Déjà vu ????"`],
    });
  });

  test("that was edited into another text is a candidate", async () => {
    const { sent, send, context } = demoScene();
    await send(POST("/rest/bug/1/comment", { comment: "Never mind." }));
    expect(await verifyCommentCreate(sent(ADD), context)).toEqual({
      status: "not-found",
      details: [expect.stringMatching(/^comment \d+ \(#\d+ of 2026-11-20T12:00:00Z\) by .*: "Never mind\."$/)],
    });
  });

  test("does not match an earlier comment", async () => {
    const { sent, send, context } = demoScene();
    await add(send);
    const alike = await matchingCommentsBefore(sent(ADD), send);
    expect(alike).toHaveLength(1);
    expect(await verifyCommentCreate(sent(ADD, { alike }), context)).toEqual({ status: "not-found" });
  });

  test("does not match those of other confirmed writes", async () => {
    const { sent, send, context } = demoScene();
    const write = sent(ADD);
    const confirmed = () => [{ ...sent(ADD), response: { id } }];
    const id = await add(send);
    expect(await verifyCommentCreate(write, { ...context, confirmed })).toEqual({ status: "not-found" });
    const updated = () => [
      { ...sent(PUT("/rest/bug/1", { comment: { body: "Seen again." } })), response: { bugs: [] } },
    ];
    expect(await verifyCommentCreate(write, { ...context, confirmed: updated })).toEqual({ status: "not-found" });
  });

  test("that matches twice is ambiguous", async () => {
    const { sent, send, context } = demoScene();
    const write = sent(ADD);
    await add(send);
    await add(send);
    expect(await verifyCommentCreate(write, context)).toMatchObject({ status: "ambiguous" });
  });
});

test("tags are verified against the comment", async () => {
  const { sent, send, context } = demoScene();
  const write = sent(PUT(`/rest/bug/comment/${await add(send)}/tags`, { add: ["steps"], remove: ["spam"] }));
  expect(await verifyTags(write, context)).toEqual({ status: "not-found" });
  await send(write.request);
  expect(await verifyTags(write, context)).toEqual({ status: "applied", response: ["steps"] });
});

test.each([
  ["the added tags", ["steps"], true],
  ["other tags too", ["steps", "easy"], true],
  ["some of the tags", ["easy"], false],
  ["a removed tag", ["steps", "spam"], false],
  ["no tags, as for an unknown comment", [], true],
  ["items other than tags", [1], false],
  ["no list", {}, false],
])("whether a response with %s answers an update of tags", (...[, response, is]) => {
  const request = PUT("/rest/bug/comment/7/tags", { add: ["steps"], remove: ["spam"] });
  expect(isTagsResponse(response, request)).toBe(is);
});

test("control characters in a summary are stored as blanks", () => {
  expect(storedSummary("\ta\u0007b\n")).toBe("a b");
});
