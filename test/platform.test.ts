import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { browserCommand } from "../src/commands/shared/output/browser.ts";
import { folderFor } from "../src/config/files.ts";
import { childEnv, PLATFORMS, type Platform, platformNamed } from "../src/platform.ts";
import { btConnected } from "./bt.ts";
import { faultyTracker } from "./faults/faulty-tracker.ts";
import { freshFolder } from "./fresh-folder.ts";

const KINDS = ["config", "cache", "state", "data"] as const;

describe("folders of stored files", () => {
  const HOMES = { HOME: "/home/ada", USERPROFILE: "/Users/ada" };
  const WINDOWS = { ...HOMES, APPDATA: "/Users/ada/Roaming", LOCALAPPDATA: "/Users/ada/Local" };
  const XDG = { XDG_CONFIG_HOME: "/x/c", XDG_CACHE_HOME: "/x/h", XDG_STATE_HOME: "/x/s", XDG_DATA_HOME: "/x/d" };
  const LIBRARY = "/home/ada/Library/Application Support/bt";

  test.each<[name: keyof typeof PLATFORMS, env: Record<string, string>, folders: readonly (string | undefined)[]]>([
    ["linux", HOMES, [".config/bt", ".cache/bt", ".local/state/bt", ".local/share/bt"].map((at) => `/home/ada/${at}`)],
    ["darwin", HOMES, [LIBRARY, "/home/ada/Library/Caches/bt", LIBRARY, LIBRARY]],
    [
      "win32",
      WINDOWS,
      ["Roaming/bt", "Local/bt/cache", "Local/bt/state", "Local/bt/data"].map((at) => `/Users/ada/${at}`),
    ],
    [
      "win32",
      HOMES,
      ["Roaming/bt", "Local/bt/cache", "Local/bt/state", "Local/bt/data"].map((at) => `/Users/ada/AppData/${at}`),
    ],
  ])("on %s with %j", (name, env, folders) => {
    const host = { env, platform: PLATFORMS[name] };
    expect(KINDS.map((kind) => folderFor(kind, host))).toEqual(folders);
  });

  test.each(Object.values(PLATFORMS))("are those of XDG where these are set, and never relative: %#", (platform) => {
    const found = (env: Record<string, string>) => KINDS.map((kind) => folderFor(kind, { env, platform }));
    expect(found({ ...WINDOWS, ...XDG })).toEqual(["/x/c/bt", "/x/h/bt", "/x/s/bt", "/x/d/bt"]);
    expect(found({ HOME: "relative", USERPROFILE: "", XDG_STATE_HOME: "state" })).toEqual(KINDS.map(() => undefined));
  });
});

test("a system that is not listed is like Linux", () => {
  expect(["win32", "freebsd", "constructor"].map(platformNamed)).toEqual([
    PLATFORMS.win32,
    PLATFORMS.linux,
    PLATFORMS.linux,
  ]);
});

/** A program in a folder; the text after its first line. */
function program(folder: string, name: string, script = "true"): string {
  const file = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o700);
  return file;
}

describe("the browser", () => {
  const all = ["xdg-open", "sensible-browser", "wslview", "open", "rundll32.exe", "firefox"];

  /** The command where these programs are in PATH. */
  function command(platform: Platform, { env = {}, setting, programs = all }: Choice = {}): readonly string[] {
    const folder = freshFolder();
    for (const name of programs) program(folder, name);
    const words = browserCommand({ env: { PATH: `.:${folder}`, ...env }, platform }, setting);
    return words.map((word) => word.replace(`${folder}/`, ""));
  }
  type Choice = { env?: Record<string, string>; setting?: string; programs?: readonly string[] };

  test.each<[name: keyof typeof PLATFORMS, words: readonly string[]]>([
    ["linux", ["xdg-open"]],
    ["darwin", ["open"]],
    ["win32", ["rundll32.exe", "url.dll,FileProtocolHandler"]],
  ])("on %s is opened by %j", (name, words) => {
    expect(command(PLATFORMS[name])).toEqual(words);
    expect(command(PLATFORMS[name], { programs: [] })).toEqual([]);
  });

  test("is the one of BT_BROWSER, the setting or BROWSER, and no other if that is missing", () => {
    const env = { BROWSER: "no-such" };
    expect(command(PLATFORMS.linux, { env: { ...env, BT_BROWSER: "firefox" }, setting: "open" })).toEqual(["firefox"]);
    expect(command(PLATFORMS.linux, { env, setting: "open" })).toEqual(["open"]);
    expect(command(PLATFORMS.linux, { env })).toEqual([]);
  });
});

describe("on Windows the command processor", () => {
  test("opens the editor, which is notepad by default", async () => {
    const tracker = await faultyTracker();
    const home = freshFolder();
    const script = `file=$(expr "$4" : '.* "\\(.*\\)""$'); echo "$1 $2 $3 \${4%% *}" > "$file"; cp "$file" ${home}/ran`;
    const env = {
      ...tracker.env,
      HOME: home,
      USERPROFILE: home,
      PATH: "/usr/bin:/bin",
      ComSpec: program(home, "cmd", script),
    };
    const around = { env, terminal: true, platform: PLATFORMS.win32 };
    expect(await btConnected("comment add 43 --editor", around)).toMatchObject({ code: 0 });
    expect(readFileSync(join(home, "ran"), "utf8")).toBe('/d /s /c "notepad\n');
    expect(tracker.count(`SELECT count(*) FROM comments WHERE text = '/d /s /c "notepad'`)).toBe(1);
  });

  test("runs the pager, which is more by default; without it nothing is lost", async () => {
    const home = freshFolder();
    const page = (script: string) =>
      btConnected("bug search --base-url demo: is:open", {
        env: {
          PATH: "/usr/bin:/bin",
          PAGER: undefined as never,
          BT_PAGER: undefined as never,
          ComSpec: program(home, "cmd", script),
        },
        terminal: true,
        platform: PLATFORMS.win32,
        rows: 5,
      });
    expect(await page(`echo "$@" > ${home}/ran; cat > ${home}/paged`)).toMatchObject({ code: 0, out: "" });
    expect(readFileSync(join(home, "ran"), "utf8")).toBe('/d /s /c "more"\n');
    expect((await page("exit 1")).out).toBe(readFileSync(join(home, "paged"), "utf8"));
  });
});

test("child processes look for programs neither in the current folder nor in folders relative to it", () => {
  const env = childEnv({ PATH: ".:/usr/bin::bin:/bin", BT_API_KEY: "k3y", TERM: "xterm" });
  expect(env).toEqual({ PATH: "/usr/bin:/bin", TERM: "xterm", NoDefaultCurrentDirectoryInExePath: "1" });
});
