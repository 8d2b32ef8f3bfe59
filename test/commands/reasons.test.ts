import { expect, test } from "vitest";
import { CREATE_GROUP } from "../../src/api/operations/groups.ts";
import { requestFor } from "../../src/api/operations/operation.ts";
import { readResponse } from "../../src/api/response/response.ts";
import { bt } from "../bt.ts";
import { demo } from "./demo.ts";

test.each([
  "bug search --product nope --component c1",
  "bug search component:c1 product:nope",
  "bug create --product nope --component c1 --version 1 --summary x",
])("the error names the unknown product, not the values that depend on it: bt %s", async (line) => {
  const { code, err } = await demo()(line);
  expect([code, err]).toEqual([2, expect.stringMatching(/^bt: unknown product "nope"/)]);
});

test("tags of an unknown comment are reported as not applied", async () => {
  const { code, err } = await demo()("tag update 99999999 --add spam");
  expect([code, err]).toEqual([5, expect.not.stringContaining("done")]);
});

test("an offset alone is no criterion", async () => {
  const { code, err } = await demo()("bug search --offset 1");
  expect([code, err]).toEqual([2, expect.stringContaining("bt: a search requires a criterion or --all\n")]);
});

test.each(["1234567890", `1${"0".repeat(400)}`, "99999999h"])(
  "the error for too many hours has the maximum: %s",
  async (text) => {
    const { code, err } = await demo()(`bug update 1 --work-time ${text}`);
    expect([code, err]).toEqual([2, `bt: --work-time ${text} is above the maximum of 99999.99 hours\n`]);
  },
);

test("the plan of a group update is under groups, with its changes", async () => {
  const { code, out } = await demo()("group update editbugs --description x --dry-run --json");
  const plan = JSON.parse(out) as Record<string, unknown>;
  expect([code, Object.keys(plan)]).toEqual([0, ["dry_run", "method", "path", "body", "groups"]]);
  expect(plan["groups"]).toEqual([
    { id: expect.any(Number), changes: { description: { removed: expect.any(String), added: "x" } } },
  ]);
});

test("flags and users are counted by name", async () => {
  const run = demo();
  expect((await run("bug search --all --by flags")).out).toMatch(/^\t\d+\nreview\+\t\d+\nneedinfo\?\t\d+\n/);
  expect((await run("bug search --all --by cc_detail --format tsv")).out).toMatch(/^ada@example\.org\t\d+$/m);
});

test("a message of the server without the refused value is completed", async () => {
  const message = "Sorry, you aren't a member of the 'creategroups' group, and so you are not authorized to add new .";
  const reply = { status: 401, headers: {}, body: JSON.stringify({ error: true, code: 304, message }) };
  const request = requestFor(CREATE_GROUP, { name: "qa" });
  expect(() => readResponse(reply, request)).toThrow("not authorized to add new groups.");
});

test("hours that are not finite are an invalid response", async () => {
  const exchange = async () => ({
    status: 200,
    headers: {},
    body: '{"bugs":[{"id":1,"estimated_time":1e400}],"faults":[]}',
  });
  const { code, out, err } = await bt("bug get 1", { exchange });
  expect([code, out, err]).toEqual([7, "", expect.stringContaining("the number 1e400")]);
});
