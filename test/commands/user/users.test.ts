import { describe, expect, test } from "vitest";
import { asked } from "../../bt.ts";
import { demo } from "../demo.ts";

const bt = demo(); // nothing here changes anything

describe("bt user search", () => {
  test("finds users by parts of logins and names", async () => {
    const ran = await bt("user search tanaka '*jonas*' --fields name");
    expect(ran.out.split("\n").sort()).toEqual(["", "jonas@example.org", "mei@example.org"]);
    expect(asked(ran)).toEqual(["GET /rest/user?match=tanaka&match=*jonas*"]);
  });

  test("passes a limit, groups and disabled users on", async () => {
    const ran = await bt("user search example -L 2 --group staff --include-disabled");
    expect(asked(ran)).toEqual(["GET /rest/user?match=example&groups=staff&limit=2&include_disabled=1"]);
    expect(ran.out.trim().split("\n").length).toBeLessThanOrEqual(2);
  });

  test("notes that a list may be cut", async () => {
    const users = [...Array(1000).keys()].map((id) => ({ id: id + 1, name: `u${id}` }));
    const exchange = async () => ({ status: 200, headers: {}, body: JSON.stringify({ users }) });
    expect((await bt("user search all", { exchange })).err).toBe("note: only 1000 users are shown; more may match\n");
  });

  test.each(["user search", "user search ''", "user search exam -L 0", "user search exam -L x"])(
    "%s is refused before anything is sent",
    async (line) => {
      expect(await bt(line.replace("''", "' '"))).toMatchObject({ code: 2, requests: [] });
    },
  );
});
