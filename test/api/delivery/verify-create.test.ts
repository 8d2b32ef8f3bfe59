import { expect, test } from "vitest";
import { matchingBugsBefore, verifyBugCreate } from "../../../src/api/delivery/verify-create.ts";
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
  const { bugs } = (await demo.ask({ method: "GET", path: "/rest/bug/1", query: [] })) as {
    bugs: { product: string; component: string; version: string }[];
  };
  const [{ product = "", component = "", version = "" } = {}] = bugs;
  const request = POST("/rest/bug", { ...BODY, product, component, version });
  const file = async (as = demo.ask) => ((await as(request)) as { id: number }).id;
  return { ...demo, request, file };
}

test("a new bug is found by its text, however the tracker stores it", async () => {
  const { sent, request, file, context } = await scene();
  const write = sent(request);
  const id = await file();
  expect(await verifyBugCreate(write, context)).toEqual({ status: "applied", answer: { id } });
});

test("a bug that was not filed is not applied", async () => {
  const { sent, request, context } = await scene();
  expect(await verifyBugCreate(sent(request), context)).toEqual({ status: "not-applied" });
});

test("the same bug by another user does not match", async () => {
  const { sent, request, file, askAsOther, context } = await scene();
  const write = sent(request);
  await file(askAsOther);
  expect(await verifyBugCreate(write, context)).toEqual({ status: "not-applied" });
});

test("two equal bugs are ambiguous, and neither matches", async () => {
  const { sent, request, file, context } = await scene();
  const write = sent(request);
  await file();
  await file();
  expect(await verifyBugCreate(write, context)).toMatchObject({ status: "contradiction" });
});

test("an equal bug older than the write does not count", async () => {
  const { sent, request, file, context, pass } = await scene();
  await file();
  pass(2);
  expect(await verifyBugCreate(sent(request), context)).toMatchObject({ status: "contradiction" });
});

test("a bug confirmed for another write does not match", async () => {
  const { sent, request, file, context } = await scene();
  const write = sent(request);
  const answer = { id: await file() };
  const confirmed = () => [{ ...write, answer }];
  expect(await verifyBugCreate(write, { ...context, confirmed })).toEqual({ status: "not-applied" });
});

test("bugs of the previous day are searched only without a database clock", async () => {
  const { sent, request, file, ask, pass } = await scene();
  const id = await file();
  pass(60);
  expect(await matchingBugsBefore(sent(request), ask)).toBeUndefined();
  expect(await matchingBugsBefore(sent(request, { clock: "date" }), ask)).toEqual([id]);
});
