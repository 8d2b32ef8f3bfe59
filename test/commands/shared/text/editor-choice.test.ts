import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { btConnected } from "../../../bt.ts";
import { faultyTracker } from "../../../faults/faulty-tracker.ts";
import { freshFolder } from "../../../fresh-folder.ts";

test.each([
  [["BT_EDITOR", "editor", "VISUAL", "EDITOR"], "BT_EDITOR"],
  [["editor", "VISUAL", "EDITOR"], "editor"],
  [["VISUAL", "EDITOR"], "VISUAL"],
  [["EDITOR"], "EDITOR"],
])("of %j the editor is the one of %s", async (named, chosen) => {
  const tracker = await faultyTracker();
  const home = freshFolder();
  const programs = Object.fromEntries(named.map((name) => [name, program(home, name)]));
  const { editor, ...env } = programs;
  mkdirSync(join(home, ".config/bt"), { recursive: true });
  if (editor) writeFileSync(join(home, ".config/bt/config.json"), JSON.stringify({ editor }));
  const around = { env: { ...tracker.env, ...env, HOME: home, PATH: "/usr/bin:/bin" }, terminal: true };
  expect(await btConnected("comment add 43 --editor", around)).toMatchObject({ code: 0 });
  expect(tracker.count(`SELECT count(*) FROM comments WHERE text = 'by ${chosen}'`)).toBe(1);
});

/** An editor that writes who it is. */
function program(home: string, name: string): string {
  const file = join(home, name);
  writeFileSync(file, `#!/bin/sh\necho "by ${name}" > "$1"\n`, { mode: 0o700 });
  return file;
}
