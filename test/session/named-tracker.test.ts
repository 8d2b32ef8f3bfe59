import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";

test("an invalid address is named with its flag", async () => {
  const { code, err } = await btConnected("migrate plan --from demo: --to nope:x", {});
  expect([code, err]).toEqual([2, expect.stringContaining('bt: "nope:x" (from --to) is not a tracker address\n')]);
});

test.each([
  ["work", "did you mean the mirror? mirror:work"],
  ["bugs.example.org", "an address begins with its scheme: https://bugs.example.org"],
  ["other", "profiles: none yet"],
])("--from %s, which is neither an address nor a profile, has a hint", async (word, hint) => {
  const home = freshFolder();
  const mirrors = join(home, "bt", "mirrors");
  mkdirSync(mirrors, { recursive: true });
  writeFileSync(join(mirrors, "work.db"), "");
  const env = { HOME: home, XDG_DATA_HOME: home };
  expect(await btConnected(`migrate plan --from ${word} --to local:`, { env })).toEqual({
    code: 2,
    out: "",
    err: `bt: --from "${word}" is neither an address nor a profile\nhint: ${hint}\n`,
  });
});
