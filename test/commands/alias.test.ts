import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expandAlias } from "../../src/commands/alias/expand.ts";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";

/** Runs command lines with a configuration of their own, on the demo tracker. */
function own() {
  const home = freshFolder();
  const env = { HOME: home, BT_BASE_URL: "demo:" };
  return { file: join(home, ".config/bt/config.json"), bt: (line: string) => btConnected(line, { env }) };
}

describe("bt alias", () => {
  test("names a command line, whose arguments follow or take the places of $1 and $@", async () => {
    const { bt } = own();
    await bt("alias set lib 'bt bug search component:$1 --format ids'");
    await bt("alias set show 'bug get'");
    const named = await bt("lib Library --limit 3");
    expect(named).toMatchObject({ code: 0, err: "" });
    expect(named.out).toBe((await bt("bug search component:Library --format ids --limit 3")).out);
    expect((await bt("show 12 --json=id")).out).toBe((await bt("bug get 12 --json=id")).out);
    expect(await bt("lib")).toMatchObject({
      code: 2,
      err: "bt: the alias lib requires an argument\nhint: bt bug search component:$1 --format ids\n",
    });
  });

  test("says what it replaces", async () => {
    const { bt } = own();
    expect(await bt("alias set one 'bug get 1'")).toMatchObject({ code: 0, err: "" });
    expect(await bt("alias set one 'bug get 1'")).toMatchObject({ code: 0, err: "" });
    expect(await bt("alias set one 'bug get 2'")).toMatchObject({
      code: 0,
      out: "",
      err: "note: one was: bug get 1\n",
    });
  });

  test("lists and deletes names, and keeps the settings beside them", async () => {
    const { bt, file } = own();
    await bt("config set product Lantern");
    await bt("alias set one 'bug get 1'");
    await bt("alias set two 'bug get 2'");
    expect((await bt("alias list")).out).toBe("one\tbug get 1\ntwo\tbug get 2\n");
    expect(await bt("alias delete one")).toMatchObject({ code: 0, out: "", err: "" });
    expect(await bt("alias delete one")).toMatchObject({
      code: 1,
      err: expect.stringContaining('bt: no alias "one"\n'),
    });
    expect(await bt("alias delete tow")).toMatchObject({ code: 1, err: expect.stringContaining("did you mean two?") });
    await bt("alias delete two");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ product: "Lantern" });
    expect((await bt("config list")).out).toContain("product\tLantern");
  });

  test.each([
    ["alias set bug 'bug get 1'", "bt bug is a command"],
    ["alias set help 'bug get 1'", "bt help is a command"],
    ["alias set a.b 'bug get 1'", '"a.b" cannot be the name of an alias'],
    ["alias set one 'bgu get 1'", 'unknown command "bgu"'],
    ["alias set one ''", 'unknown command ""'],
  ])("%s is refused", async (line, message) => {
    const { bt } = own();
    const ran = await bt(line);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toContain(`bt: ${message}`);
    expect((await bt("alias list")).out).toBe("");
  });

  test("is completed", async () => {
    const { bt } = own();
    await bt("alias set mine 'bug search -a @me'");
    expect((await bt("complete -- min")).out).toBe("mine\tbt bug search -a @me\n");
    expect((await bt("complete -- alias delete ''")).out).toContain("mine\t");
  });
});

test.each([
  ["bug get", ["1", "--json"], "bug get 1 --json"],
  ["bug search component:$2 product:$1", ["Lantern", "Editor", "-q"], "bug search component:Editor product:Lantern -q"],
  ["comment add $@ -m Seen", ["12", "13"], "comment add 12 13 -m Seen"],
  ["bug search 'a $1'", ["b c"], "bug search a b c"],
])("%s with %j is %s", (command, args, line) => {
  expect(expandAlias({ name: "one", command }, args).join(" ")).toBe(line);
});
