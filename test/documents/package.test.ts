import path from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { manPages } from "../../src/cli/man-pages.ts";
import { TREE } from "../../src/commands/tree.ts";

test("package.json names every manual page, since npm installs no others", async () => {
  const man = Object.keys(await manPages(TREE, "")).map((page) => `dist/man/${page}`);
  await expect(`${JSON.stringify({ ...manifest, man }, null, 2)}\n`).toMatchFileSnapshot(
    path.join(import.meta.dirname, "../../package.json"),
  );
});
