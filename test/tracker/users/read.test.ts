import { beforeEach, describe, expect, test } from "vitest";
import { type Talk, talk } from "../talk.ts";

let here: Talk;
beforeEach(() => {
  here = talk();
});

describe("users of a group", () => {
  test.each(["names=bob@example.org", "match=bob"])("are hidden from non-members: %s", async (who) => {
    for (const group of ["groups=core-security", "groups=no-such-group", "group_ids=15", "group_ids=999"]) {
      const { status, body } = await here.get("carol", `/rest/user?${who}&${group}`);
      expect([status, body]).toMatchObject([400, { code: 804 }]);
    }
  });

  test("are hidden from anonymous users", async () => {
    for (const group of ["groups=core-security", "groups=no-such-group"]) {
      const { body } = await here.get("anonymous", `/rest/user?names=alice@example.org&${group}`);
      expect(body).toMatchObject({
        code: 804,
        message: expect.stringMatching(/^The group you specified, .* is not valid here/),
      });
    }
  });
});
