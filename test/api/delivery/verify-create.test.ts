import { expect, test } from "vitest";
import { matchingBugsBefore, verifyBugCreate } from "../../../src/api/delivery/verify-create.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { demoScene, POST } from "./demo-scene.ts";

const BODY = {
  product: "Lantern Editor",
  component: "Canvas",
  version: "unspecified",
  summary: "Toolbar\u0007vanishes",
  description: "Steps:\r\n1. click \r\n\r\n",
};

async function scene() {
  const demo = demoScene();
  const { bugs } = (await demo.send({ method: "GET", path: "/rest/bug/1", query: [] })) as {
    bugs: { product: string; component: string; version: string }[];
  };
  const [{ product = "", component = "", version = "" } = {}] = bugs;
  const request = POST("/rest/bug", { ...BODY, product, component, version });
  const file = async (as = demo.send) => ((await as(request)) as { id: number }).id;
  return { ...demo, request, file };
}

test("a new bug is found by its text, however the tracker stores it", async () => {
  const { sent, request, file, context } = await scene();
  const write = sent(request);
  const id = await file();
  expect(await verifyBugCreate(write, context)).toEqual({ status: "applied", response: { id } });
});

test("a bug that was not filed is not found", async () => {
  const { sent, request, context } = await scene();
  expect(await verifyBugCreate(sent(request), context)).toEqual({ status: "not-found" });
});

test("a bug of the same text by another user does not match", async () => {
  const { sent, request, file, askAsOther, context } = await scene();
  const write = sent(request);
  await file(askAsOther);
  expect(await verifyBugCreate(write, context)).toEqual({ status: "not-found" });
});

test("two equal bugs are ambiguous, and neither matches", async () => {
  const { sent, request, file, context } = await scene();
  const write = sent(request);
  await file();
  await file();
  expect(await verifyBugCreate(write, context)).toMatchObject({ status: "ambiguous" });
});

test("an equal bug that was there before does not count", async () => {
  const { sent, request, file, send, context } = await scene();
  const id = await file();
  const alike = await matchingBugsBefore(sent(request), send);
  expect(alike).toEqual([id]);
  expect(await verifyBugCreate(sent(request, { alike }), context)).toEqual({ status: "not-found" });
});

test("an equal bug is ambiguous if equal ones were not searched before", async () => {
  const { sent, request, file, context } = await scene();
  await file();
  const write = sent(request, { alike: undefined });
  expect(await verifyBugCreate(write, context)).toMatchObject({ status: "ambiguous" });
});

test("a bug with an alias is found by it, unless it had been there before", async () => {
  const { sent, request, send, context } = await scene();
  const named = POST("/rest/bug", { ...(request.body as JsonObject), alias: "toolbar" });
  const write = sent(named);
  expect(await matchingBugsBefore(write, send)).toEqual([]);
  const { id } = (await send(named)) as { id: number };
  expect(await verifyBugCreate(write, context)).toEqual({ status: "applied", response: { id } });
  const alike = await matchingBugsBefore(write, send);
  const taken = { status: "refused", error: { message: `the bug was not created: bug ${id} has the alias toolbar` } };
  expect(await verifyBugCreate({ ...write, alike }, context)).toMatchObject(taken);
});

test("a bug was not filed if another bug has its alias, unless it is there without", async () => {
  const { sent, request, send, askAsOther, context } = await scene();
  const named = { ...(request.body as JsonObject), alias: "toolbar" };
  const write = sent(POST("/rest/bug", named));
  const { id } = (await askAsOther(POST("/rest/bug", { ...named, description: "Otherwise." }))) as { id: number };
  expect(await verifyBugCreate(write, context)).toMatchObject({
    ...{ status: "refused", error: { kind: "refused", facts: { bugzillaCode: 103, changed: "nothing" } } },
  });
  expect(await verifyBugCreate(write, { ...context, me: undefined })).toMatchObject({ status: "not-found" });
  const own = (await send(request)) as { id: number };
  expect(own.id).not.toBe(id);
  expect(await verifyBugCreate(write, context)).toEqual({ status: "applied", response: { id: own.id } });
});

test("a bug confirmed for another write does not match", async () => {
  const { sent, request, file, context } = await scene();
  const write = sent(request);
  const response = { id: await file() };
  const confirmed = () => [{ ...write, response }];
  expect(await verifyBugCreate(write, { ...context, confirmed })).toEqual({ status: "not-found" });
});
