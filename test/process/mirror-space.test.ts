import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshFolder } from "../fresh-folder.ts";
import { shell } from "./real.ts";

/** Limits of the size of a file (KiB): for one process, a disk that is full. */
test.each([
  [600, "before it has begun, and is removed", false],
  [1200, "later, and continues", true],
])("a mirror that cannot be written beyond %d KiB fails %s", async (limit, _, isBegun) => {
  const home = freshFolder();
  const file = join(home, "bt", "mirrors", "work.db");
  const hint = isBegun ? "hint: bt --base-url demo: mirror sync work continues\n" : "";
  expect(
    await shell(`ulimit -f ${limit}; bt mirror create work --base-url demo:`, { env: { XDG_DATA_HOME: home } }),
  ).toEqual({
    ...{ code: 12, out: "" },
    err: `bt: cannot write the mirror work at ${file}\n    The data file cannot be read or written.\n${hint}`,
  });
  expect(existsSync(file)).toBe(isBegun);
});
