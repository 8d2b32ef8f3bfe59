import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { type Talk, talk } from "../talk.ts";

let here: Talk;
beforeEach(() => {
  here = talk();
});

const put = (body: JsonObject, who = "carol@example.org") => here.put("admin", `/rest/user/${who}`, body);
const changesOf = async (body: JsonObject) =>
  ((await put(body)).body as never as { users: { changes: JsonObject }[] }).users[0]?.changes;

describe("Update User", () => {
  test.each<[JsonObject, number, number]>([
    [{ email: "bob@example.org" }, 400, 500],
    [{ email: "BOB@example.org" }, 400, 500],
    [{ email: "no address" }, 400, 501],
    [{ email: `${"x".repeat(116)}@example.org` }, 400, 501],
    [{ email: " " }, 400, 32000],
    [{ password: "short" }, 400, 502],
    [{ password: "" }, 400, 502],
    [{ groups: { add: ["no-such-group"] } }, 401, 304],
    [{ groups: ["editbugs"] }, 400, 32000],
    [{ nonsense: 1 }, 400, 67399],
    [{ email: "z@example.org", names: ["bob@example.org", "carol@example.org"] }, 400, 32000],
    [{ full_name: "x", ids: [999] }, 404, 51],
  ])("rejects %j", async (body, status, code) => {
    expect(await put(body)).toMatchObject({ status, body: { code } });
  });

  test("a new password is valid, the old one and its sessions are not", async () => {
    const login = (password: string) =>
      here.get("anonymous", `/rest/login?login=carol@example.org&password=${password}`);
    const { body } = await login("{password}");
    expect(await changesOf({ password: "quite-new" })).toEqual({
      cryptpassword: { removed: "", added: "hashed_with_scrypt" },
    });
    const { token } = body as never as { token: string };
    expect((await here.get("anonymous", `/rest/valid_login?login=x&token=${token}`)).body).toMatchObject({
      code: 32000,
    });
    expect((await login("{password}")).body).toMatchObject({ code: 300 });
    expect((await login("quite-new")).status).toBe(200);
  });

  test("set replaces the explicit groups and reports added and removed ones", async () => {
    expect(await changesOf({ groups: { set: ["editbugs", "canconfirm"] } })).toEqual({
      groups: { removed: "", added: "editbugs,canconfirm" },
    });
    expect(await changesOf({ groups: { set: ["core-security"] } })).toEqual({
      groups: { removed: "canconfirm,editbugs", added: "core-security" },
    });
    expect(await changesOf({ groups: { set: [] } })).toEqual({ groups: { removed: "core-security", added: "" } });
    expect(await changesOf({ bless_groups: { set: ["core-security"] } })).toMatchObject({
      bless_groups: { added: "core-security" },
    });
  });

  test("disabled mail is reported as disable_mail", async () => {
    expect(await changesOf({ email_enabled: false })).toEqual({ disable_mail: { removed: "0", added: "1" } });
  });
});

describe("users that match", () => {
  const names = async (query: string) => {
    const { body } = await here.get("alice", `/rest/user?${query}&include_fields=name`);
    return (body as never as { users?: { name: string }[] }).users?.map(({ name }) => name) ?? body;
  };

  test("an invalid limit is rejected", async () => {
    expect(await names("match=bob&limit=x")).toMatchObject({ code: 52 });
  });
});
