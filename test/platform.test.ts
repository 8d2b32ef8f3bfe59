import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { browserCommand } from "../src/commands/shared/output/browser.ts";
import { folderFor } from "../src/config/files.ts";
import { childEnv } from "../src/platform.ts";
import { freshFolder } from "./fresh-folder.ts";

const KINDS = ["config", "cache", "state", "data"] as const;

test("the folders of stored files are those of XDG, never relative, else below the home", () => {
  const found = (env: Record<string, string>) => KINDS.map((kind) => folderFor(kind, { env }));
  const below = [".config/bt", ".cache/bt", ".local/state/bt", ".local/share/bt"];
  expect(found({ HOME: "/home/ada", XDG_STATE_HOME: "state" })).toEqual(below.map((at) => `/home/ada/${at}`));
  const xdg = { XDG_CONFIG_HOME: "/x/c", XDG_CACHE_HOME: "/x/h", XDG_STATE_HOME: "/x/s", XDG_DATA_HOME: "/x/d" };
  expect(found({ HOME: "/home/ada", ...xdg })).toEqual(["/x/c/bt", "/x/h/bt", "/x/s/bt", "/x/d/bt"]);
  expect(found({ HOME: "relative" })).toEqual(KINDS.map(() => undefined));
});

test.each([
  [{}, undefined, "xdg-open"],
  [{ BROWSER: "no-such" }, undefined, undefined],
  [{ BROWSER: "no-such" }, "open", "open"],
  [{ BROWSER: "no-such", BT_BROWSER: "firefox" }, "open", "firefox"],
])("with %j and the setting %j the browser is %j", (env, setting, name) => {
  const folder = freshFolder();
  for (const one of ["xdg-open", "wslview", "open", "firefox"])
    writeFileSync(join(folder, one), "#!/bin/sh\n", { mode: 0o700 });
  const found = browserCommand({ env: { PATH: `.:${folder}`, ...env } }, setting);
  expect(found).toBe(name && join(folder, name));
});

test("child processes look for programs neither in the current folder nor in folders relative to it", () => {
  const env = childEnv({ PATH: ".:/usr/bin::bin:/bin", BT_API_KEY: "k3y", TERM: "xterm" });
  expect(env).toEqual({ PATH: "/usr/bin:/bin", TERM: "xterm" });
});
