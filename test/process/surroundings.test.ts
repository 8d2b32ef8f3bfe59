import { describe, expect, test } from "vitest";
import { sampled } from "../sampling.ts";
import { demoServer } from "../servers/demo-server.ts";
import { real, shell } from "./real.ts";

const LIST = ["bug", "search", "--id", "1,2", "--sort", "id", "--format", "ids"];

describe("E13 a search works", () => {
  test.each<[string, Record<string, string | undefined>]>([
    ["in the C locale", { LANG: "C", LC_ALL: "C" }],
    ["without a home", { HOME: undefined, XDG_CONFIG_HOME: undefined, XDG_CACHE_HOME: undefined }],
    ["with relative paths of folders", { XDG_CONFIG_HOME: "config", XDG_CACHE_HOME: "cache" }],
    ["on a terminal of width 0", { COLUMNS: "0" }],
    ["in an unknown zone", { TZ: "Mars/Olympus" }],
    ["with the code cache", { BT_NO_CODE_CACHE: undefined }],
  ])("%s", async (_where, env) => {
    const { url } = await demoServer();
    const run = await real(["--base-url", url, ...LIST], { env });
    expect(run).toEqual({ code: 0, out: "1\n2\n", err: "" });
  });

  test("in a deleted folder", async () => {
    const run = await shell("mkdir here && cd here && rmdir ../here && bt bug get 1 --format ids", {});
    expect(run).toMatchObject({ code: 0, out: "1\n" });
  });
});

test.each(sampled(["", " ", ":", "Mars/Olympus", "UTC0", "Etc/Unknown", "/etc/localtime"], 2))(
  "the zone TZ=%j is UTC",
  async (TZ) => {
    const run = await real(["--base-url", "demo:", "bug", "history", "1", "--format", "table"], { env: { TZ } });
    expect(run).toMatchObject({ code: 0, err: "" });
    expect(run.out).toMatch(/ \d\d:\d\d UTC$/m);
  },
);

test("non-ASCII characters are UTF-8 in every locale", async () => {
  for (const LANG of ["C", "C.UTF-8", "xx_XX"]) {
    const line =
      "--base-url demo: bug search --assigned-to tomas@example.org --fields assigned_to_detail --json --limit 1";
    const { out } = await real(line.split(" "), { env: { LANG, LC_ALL: LANG } });
    expect(out).toContain("Tomás Lind");
  }
});
