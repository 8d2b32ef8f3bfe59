import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTracker } from "../../../src/tracker/open.ts";
import { type Around, bt } from "../../bt.ts";
import { freshFolder } from "../../fresh-folder.ts";

const nowhere: Around["exchange"] = async () => {
  throw new Error("bt admin needs no tracker but its file");
};

const ADA = "users: [{ login: ada@example.org, real_name: Ada Lovelace, groups: [editbugs] }]";

/** `bt admin` on a new file, to which a document was applied, and requests to the tracker in it. */
async function office(document = ADA) {
  const folder = freshFolder();
  const file = join(folder, "team.db");
  const admin = (words: string, around: Partial<Around> = {}) =>
    bt(`admin ${words} --data ${file}`, { exchange: nowhere, ...around });
  const apply = (document: string) => admin("apply -", { stdin: document });
  const ask = async (key: string, path: string) => {
    const { tracker, close } = openTracker(`local:${file}`, {
      now: () => new Date("2026-11-20T12:00:00Z"),
      random: (count) => new Uint8Array(count),
      dataDirectory: "",
    });
    const [plain = "", query = ""] = path.split("?");
    const credentials: [string, string][] = key === "" ? [] : [["Bugzilla_api_key", key]];
    const reply = await tracker({ method: "GET", path: plain, query: [...new URLSearchParams(query), ...credentials] });
    close();
    return JSON.parse(reply.body);
  };
  return { folder, admin, apply, ask, created: await apply(document) };
}

describe("bt admin apply", () => {
  test("prints what it changes, and nothing the second time", async () => {
    const { apply, created } = await office();
    expect(created).toMatchObject({
      ...{ code: 0, out: "created user ada@example.org\n" },
      err: expect.stringMatching(/^note: created a tracker in \S+team\.db\n$/),
    });
    expect(await apply(ADA)).toMatchObject({ code: 0, out: "", err: "note: no changes\n" });
    const again = await apply("users: [{ login: ada@example.org, real_name: Ada }]");
    expect(again.out).toBe("changed user ada@example.org\n");
  });

  test("names a file that it cannot read", async () => {
    const { admin } = await office();
    expect(await admin("apply /no/such/file")).toMatchObject({
      code: 12,
      out: "",
      err: expect.stringContaining("cannot read"),
    });
    expect(await bt("admin export --data /", { exchange: nowhere })).toMatchObject({
      code: 12,
      out: "",
      err: "bt: cannot open the tracker's data at /\n    illegal operation on a directory\nhint: use another file: --base-url local:/path/to/file.db, or --data of bt serve and bt admin\n",
    });
  });
});

describe("bt admin key", () => {
  test("prints a key that works once, and lists it without the key", async () => {
    const { admin, ask } = await office();
    const made = await admin("key ada@example.org -d laptop");
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^[0-9a-f]{40}\n$/), err: "" });
    const key = made.out.trim();
    expect(await ask(key, "/rest/whoami")).toMatchObject({ name: "ada@example.org", real_name: "Ada Lovelace" });
    expect(JSON.parse((await admin("key owner@localhost --json")).out)).toMatchObject({ login: "owner@localhost" });
    const listed = await admin("key --json=id,login,description,is_revoked");
    expect(JSON.parse(listed.out)).toEqual([
      { id: 1, login: "ada@example.org", description: "laptop", is_revoked: false },
      { id: 2, login: "owner@localhost", description: "", is_revoked: false },
    ]);
    expect((await admin("key")).out).not.toContain(key);
    expect(await admin("key --revoke 1")).toMatchObject({ code: 0, out: "" });
    expect(await ask(key, "/rest/whoami")).toMatchObject({ error: true });
    expect((await admin("key --fields id,is_revoked")).out).toBe("1\ttrue\n2\tfalse\n");
  });

  test.each([
    ["key nobody@example.org", 5, "There is no user named 'nobody@example.org'"],
    ["key --revoke 9", 5, "There is no API key with the id '9'"],
    ["key --revoke one", 2, "--revoke"],
    ["key owner@localhost --revoke 1", 2, "--revoke takes the number of a key, and no login"],
  ])("%s is refused", async (words, code, message) => {
    const ran = await (await office()).admin(words);
    expect([ran.code, ran.out, ran.err]).toEqual([code, "", expect.stringContaining(message)]);
  });
});
