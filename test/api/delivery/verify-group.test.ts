import { expect, test } from "vitest";
import { verifyGroupCreate, verifyGroupUpdate } from "../../../src/api/delivery/verify-group.ts";
import type { VerifyContext, Write } from "../../../src/api/delivery/write.ts";
import { BtError } from "../../../src/errors.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { POST, PUT } from "./demo-scene.ts";

/** Verifies on a tracker that shows these groups. */
function verified(verify: typeof verifyGroupCreate, write: Write, groups: readonly JsonObject[] | BtError) {
  const send = async () => {
    if (groups instanceof BtError) throw groups;
    return { groups };
  };
  const context: VerifyContext = { send, me: undefined, confirmed: () => [] };
  return verify({ ...write, at: 0, since: "" }, context);
}

const CREATE: Write = { request: POST("/rest/group", { name: "qa", description: "Testers" }) };
const QA = { id: 9, name: "qa", description: "Testers", is_active: true };

test.each<[string, readonly JsonObject[] | BtError, string]>([
  ["with its description", [QA], "applied"],
  ["with another description", [{ ...QA, description: "Quality" }], "not-found"],
  ["with another name", [{ ...QA, name: "qa2" }], "not-found"],
  ["and it is hidden", new BtError("missing", "no such group", { bugzillaCode: 51 }), "not-found"],
])("a new group is looked up by name: it exists %s", async (...[, groups, status]) => {
  expect(await verified(verifyGroupCreate, CREATE, groups)).toMatchObject({ status });
});

test("any other error leaves the outcome unknown", async () => {
  const error = new BtError("busy", "503", { httpStatus: 503 });
  await expect(verified(verifyGroupCreate, CREATE, error)).rejects.toBe(error);
});

const BEFORE = [{ id: 9, name: "qa", description: "Testers" }];

test.each<[string, JsonObject, JsonObject, string]>([
  ["as requested", { description: "Quality" }, { description: "Quality" }, "applied"],
  ["as before", { description: "Quality" }, {}, "not-found"],
  ["neither", { description: "Quality" }, { description: "Other" }, "not-found"],
  ["not shown with the changed fields", { icon_url: "https://example.org/i.png" }, {}, "unverifiable"],
])("an updated group is %s", async (...[, body, now, status]) => {
  const write: Write = { request: PUT("/rest/group/9", { ids: [9], ...body }), before: BEFORE };
  expect(await verified(verifyGroupUpdate, write, [{ ...QA, ...now }])).toMatchObject({ status });
});

test("an applied update has the missing response", async () => {
  const write: Write = { request: PUT("/rest/group/9", { ids: [9], description: "Quality" }), before: BEFORE };
  expect(await verified(verifyGroupUpdate, write, [{ ...QA, description: "Quality" }])).toEqual({
    status: "applied",
    response: { groups: [{ id: 9, changes: { description: { removed: "Testers", added: "Quality" } } }] },
  });
});
