import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTracker } from "../../../src/tracker/open.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { type Around, bt } from "../../bt.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bt-admin-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const nowhere: Around["exchange"] = async () => {
  throw new Error("bt admin needs no tracker but its file");
};

function data() {
  return join(folder, "team.db");
}

function admin(words: string, around: Partial<Around> = {}) {
  return bt(`admin --data ${data()} ${words}`, { exchange: nowhere, ...around });
}

/** The JSON of a request to the tracker on that file, asked with a key. */
async function ask(key: string, path: string) {
  const { tracker, close } = openTracker(`local:${data()}`, {
    now: () => new Date("2026-11-20T12:00:00Z"),
    random: (count) => new Uint8Array(count),
    dataDirectory: "",
  });
  const [plain = "", query = ""] = path.split("?");
  const credentials: [string, string][] = key === "" ? [] : [["Bugzilla_api_key", key]];
  const reply = await tracker({ method: "GET", path: plain, query: [...new URLSearchParams(query), ...credentials] });
  close();
  return JSON.parse(reply.body);
}

describe("a tracker is set up for a team", () => {
  test("with a user whose API key works and is shown once", async () => {
    expect((await admin("user add ada@example.org real_name='Ada Lovelace' groups=editbugs,canconfirm")).code).toBe(0);
    const [made] = JSON.parse((await admin("key add ada@example.org --json")).out);
    expect(await ask(made.key, "/rest/whoami")).toMatchObject({ name: "ada@example.org", real_name: "Ada Lovelace" });
    expect((await admin("key list")).out).not.toContain(made.key);
  });

  test("with a password from stdin or a prompt, never from the command line", async () => {
    await admin("user add ada@example.org");
    expect((await admin("user password ada@example.org", { stdin: "correct horse\n" })).code).toBe(0);
    const asked = { terminal: true, answers: ["another horse"] };
    expect((await admin("user password ada@example.org", asked)).code).toBe(0);
    expect(await ask("", "/rest/login?login=ada@example.org&password=another horse")).toMatchObject({ id: 2 });
    const { code, err } = await admin("user password ada@example.org secret123");
    expect([code, err]).toEqual([
      2,
      "bt: refusing to read the password from the command line, where other users can see it\nhint: omit it to be prompted, or pipe it to stdin\n",
    ]);
    expect((await admin("user")).out).toContain("bt admin user password <login>\n");
  });

  test("with products to file bugs in", async () => {
    await admin("product add Rocket description='It flies'");
    await admin("component add Rocket Engine default_assignee=owner@localhost description=Fire");
    const [made] = JSON.parse((await admin("key add owner@localhost --json")).out);
    const { products } = await ask(made.key, "/rest/product/Rocket");
    expect(products[0]).toMatchObject({ name: "Rocket", description: "It flies" });
    expect(products[0].components[0].name).toBe("Engine");
  });

  test("from one document, which may be loaded again and copied to another file", async () => {
    await admin("product add Rocket description='It flies'");
    const shown = (await admin("setup show")).out;
    writeFileSync(join(folder, "setup.yaml"), shown);
    expect((await admin(`setup load ${join(folder, "setup.yaml")}`)).err).toMatch(/^loaded .*\b2 products/);
    expect((await admin("setup show")).out).toBe(shown);
    const other = `admin --data ${join(folder, "other.db")}`;
    expect((await bt(`${other} setup load -`, { exchange: nowhere, stdin: shown })).code).toBe(0);
    expect((await bt(`${other} product list --fields name`, { exchange: nowhere })).out).toBe("Project\nRocket\n");
  });

  test("from a JSON document, exactly, into a new file", async () => {
    await admin("product add Rocket");
    await admin("product remove Project");
    const shown = (await admin("setup show --json")).out;
    expect(JSON.parse(shown).products).toMatchObject([{ name: "Rocket" }]);
    writeFileSync(join(folder, "setup.json"), shown);
    const other = `admin --data ${join(folder, "other.db")}`;
    await bt(`${other} setup load ${join(folder, "setup.json")} exact=yes`, { exchange: nowhere });
    expect((await bt(`${other} setup show --json`, { exchange: nowhere })).out).toBe(shown);
  });
});

describe("mail about changes", () => {
  /** A file with a bug of the owner, on which somebody else has said something. */
  async function withMails() {
    await admin("user add mei@example.org groups=editbugs");
    const [{ key }] = JSON.parse((await admin("key add owner@localhost --json")).out);
    const { tracker, close } = openTracker(`local:${data()}`, {
      now: () => new Date("2026-11-20T12:00:00Z"),
      random: (count) => new Uint8Array(count),
      dataDirectory: "",
    });
    const send = (path: string, body: JsonObject) =>
      tracker({ method: "POST", path, query: [["Bugzilla_api_key", key]], body });
    const bug = { product: "Project", component: "General", version: "unspecified", summary: "Naïve sort" };
    await send("/rest/bug", { ...bug, op_sys: "All", platform: "All", cc: ["mei@example.org"] });
    await send("/rest/bug/1/comment", { comment: "Seen\u001b[31m too.\nTwice." });
    close();
  }

  test("is listed newest first, optionally by recipient or bug", async () => {
    await withMails();
    expect((await admin("mail list")).out).toMatchInlineSnapshot(`
      "4	2026-11-20T12:00:00Z	mei@example.org	1	cc	[Bug 1] Naïve sort	
      3	2026-11-20T12:00:00Z	owner@localhost	1	assignee, reporter	[Bug 1] Naïve sort	
      2	2026-11-20T12:00:00Z	mei@example.org	1	cc	[Bug 1] New: Naïve sort	
      1	2026-11-20T12:00:00Z	owner@localhost	1	assignee, reporter	[Bug 1] New: Naïve sort	
      "
    `);
    const ids = async (words: string) => (await admin(`mail list ${words} --fields id`)).out.trim().split("\n");
    expect(await ids("to=MEI@example.org")).toEqual(["4", "2"]);
    expect(await ids("bug=1")).toEqual(["4", "3", "2", "1"]);
    expect(await ids("bug=2")).toEqual([""]);
    expect(JSON.parse((await admin("mail list to=mei@example.org --json")).out)[0]).toMatchInlineSnapshot(`
      {
        "bug_id": 1,
        "id": 4,
        "reasons": "cc",
        "sent_time": null,
        "subject": "[Bug 1] Naïve sort",
        "time": "2026-11-20T12:00:00Z",
        "to": "mei@example.org",
      }
    `);
  });

  test("is shown as text or JSON", async () => {
    await withMails();
    expect((await admin("mail show 4")).out).toMatchInlineSnapshot(`
      "Date: Fri, 20 Nov 2026 12:00:00 +0000
      From: bugzilla-daemon@localhost
      To: mei@example.org
      Reason: cc
      Subject: [Bug 1] Naïve sort

      owner@localhost wrote:

      Seen\\x1b[31m too.
      Twice.

      -- 
      You get this mail as: cc
      "
    `);
    const [mail] = JSON.parse((await admin("mail show 4 --json")).out);
    expect(mail).toMatchObject({ id: 4, to: "mei@example.org", body: expect.stringContaining("Seen\u001b[31m too.") });
    expect((await admin("mail show 4 --fields subject")).out).toBe("[Bug 1] Naïve sort\n");
    expect(await admin("mail show 9")).toMatchObject({
      code: 5,
      out: "",
      err: expect.stringContaining("No such mail: 9"),
    });
    expect(await admin("mail show four")).toMatchObject({ code: 2, out: "" });
  });
});

describe("an invalid argument is rejected with the valid ones", () => {
  beforeEach(async () => void (await admin("group add first description=First")));

  test.each([
    ["usr list", 2, "did you mean user?"],
    ["user ad x", 2, "valid values"],
    ["user add x@example.org name=X", 2, "did you mean real_name=?"],
    ["user change nobody@example.org real_name=X", 5, "There is no user named"],
    ["parameter set nosuch 1", 5, "no parameter named"],
    ["setup load /no/such/file", 12, "cannot read"],
    ["product add", 3, "name"],
  ])("%s", async (words, code, message) => {
    const ran = await admin(words);
    expect([ran.code, ran.out]).toEqual([code, ""]);
    expect(ran.err).toContain(message);
  });

  test("an invalid tracker file is a local error, and another file can be given", async () => {
    const ran = await bt("admin --data / user list", { exchange: nowhere });
    expect(ran).toMatchObject({ code: 12, out: "" });
    expect(ran.err).toMatchInlineSnapshot(`
      "bt: cannot open the tracker's data at /
          is a directory
      hint: use another file: --data /path/to/file.db
      "
    `);
  });

  test("an invalid document changes nothing", async () => {
    const before = (await admin("setup show")).out;
    const ran = await admin("setup load -", { stdin: "products:\n  - name: [1\n" });
    expect(ran.code).toBe(3);
    expect((await admin("setup show")).out).toBe(before);
  });
});

test.each([
  ["product add Web descripton=Pages", "descripton=Pages", "did you mean description=?"],
  ["product add nmae=Web", "nmae=Web", "did you mean name=?"],
  ["product add Web colour=red", "colour=red", "valid arguments: name, description,"],
])("bt admin %s is rejected: no argument has that name", async (line, word, hint) => {
  const { code, err } = await admin(line);
  expect([code, err]).toEqual([2, expect.stringContaining(`unexpected argument "${word}"`)]);
  expect(err).toContain(hint);
  expect((await admin("product list")).out).not.toContain("Web");
});

test.each(["yes", "true", "1", "no", "FALSE", "0"])("yes and no may be spelled %s", async (spelling) => {
  await admin(`product add Web has_unconfirmed=${spelling}`);
  const products = JSON.parse((await admin("product list --json")).out);
  const web = products.find(({ name }: JsonObject) => name === "Web");
  expect(web.has_unconfirmed).toBe(["yes", "true", "1"].includes(spelling));
});

test("bt admin lists every operation, bt admin user its arguments", async () => {
  expect((await admin("")).out).toContain("bt admin setup load");
  expect((await admin("user")).out).toMatch(/bt admin user add <login> \[real_name=\]/);
});
