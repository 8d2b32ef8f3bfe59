import { expect, test } from "vitest";
import { whoAmI } from "../../../src/api/facts/identity.ts";
import { OBEYS_ROWS } from "../../../src/api/facts/row-support.ts";
import { BtError } from "../../../src/errors.ts";
import type { Json, Request } from "../../../src/wire/exchange.ts";

type Server = { readonly me: string; readonly bugs: readonly Json[]; readonly asked?: string[] };

/** A server without whoami, whose searches for `%user%` find these bugs unless they are for reporters. */
function server({ me, bugs, asked = [] }: Server) {
  return async ({ path, query }: Request): Promise<Json> => {
    const given = new Map(query);
    if (path === "/rest/valid_login") {
      asked.push(given.get("login") ?? "");
      return { result: given.get("login") === me };
    }
    if (path === "/rest/bug" && given.get("v1") === "%user%")
      return { bugs: given.get("f1") === "reporter" ? [] : bugs };
    throw new BtError("missing", "no such resource");
  };
}

test("a user who reported nothing is recognized on a bug that names the user in another role", async () => {
  const asked: string[] = [];
  const bug = {
    assigned_to: "ada@example.org",
    qa_contact: "",
    flags: [{ name: "needinfo", requestee: "bob@example.org" }, { name: "review" }],
    cc: ["ada@example.org", "cy@example.org"],
  };
  expect(await whoAmI(server({ me: "cy@example.org", bugs: [bug], asked }), OBEYS_ROWS)).toEqual({
    proven: true,
    user: "cy@example.org",
  });
  expect(asked).toEqual(["ada@example.org", "bob@example.org", "cy@example.org"]);
});

test("no login is taken without proof, and at most ten are checked", async () => {
  const asked: string[] = [];
  const cc = Array.from({ length: 30 }, (_, at) => `u${at}@example.org`);
  expect(await whoAmI(server({ me: "other@example.org", bugs: [{ cc }], asked }), OBEYS_ROWS)).toMatchObject({
    proven: false,
  });
  expect(asked).toEqual(cc.slice(0, 10));
});

test("a bug without people proves nothing, neither that one is anonymous", async () => {
  expect(await whoAmI(server({ me: "x@example.org", bugs: [{ flags: null }] }), OBEYS_ROWS)).toEqual({
    proven: false,
    isUnknown: true,
  });
});
