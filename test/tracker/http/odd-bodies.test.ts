import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { talk } from "../talk.ts";

const NAMES = [
  "ids alias assigned_to blocks depends_on cc comment comment_is_private component deadline dupe_of estimated_time",
  "flags groups keywords op_sys priority product qa_contact resolution see_also status summary target_milestone url",
  "version whiteboard work_time cf_platforms cf_due cf_upstream cf_points cf_seen_at cf_tracking description name",
  "names user_regexp is_active add remove comment_id id is_private reset_assigned_to severity platform",
].flatMap((line) => line.split(" "));

const leaf = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, "", " ", 0, -1, 1.5, 20002, 5),
  fc.constantFrom(..."5 RESOLVED FIXED crash Toolkit General".split(" ")),
  fc.string({ maxLength: 12, unit: "binary" }),
  fc.double(),
  fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(..."add remove set body name status type_id requestee 5".split(" ")), tie("value"), {
      maxKeys: 3,
    }),
  ),
}));
const body = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 4 });

const ROUTES = [
  ["POST", "/rest/bug"],
  ["PUT", "/rest/bug/3"],
  ["POST", "/rest/bug/3/comment"],
  ["PUT", "/rest/bug/comment/5/tags"],
  ["POST", "/rest/group"],
  ["PUT", "/rest/group/15"],
] as const;

test("no body causes an internal error", async () => {
  const here = talk();
  const base = {
    product: "Firefox",
    component: "General",
    version: "121",
    op_sys: "All",
    platform: "All",
    summary: "s",
  };
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...ROUTES), body, async ([method, path], odd) => {
      const sent = path === "/rest/bug" ? { ...base, ...odd } : odd;
      const json = JSON.parse(JSON.stringify(sent)) as JsonObject;
      const { status } = await here.say("admin", { method, path, body: json });
      expect([200, 201, 400, 401, 404]).toContain(status);
    }),
    { numRuns: 600 },
  );
}, 30_000);
