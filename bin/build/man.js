import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { importSource } from "./import-source.js";

/**
 * Writes the manual pages into `dist/man`; their date is that of the last change which a user can see.
 * @param {string} root
 */
export async function writeManual(root) {
  const { commandTree } = await importSource(root, "src/commands/tree.ts");
  const { manPages } = await importSource(root, "src/cli/man-pages.ts");
  const date = statSync(`${root}/CHANGELOG.md`).mtime.toLocaleDateString("en-US", {
    dateStyle: "long",
    timeZone: "UTC",
  });
  for (const [path, text] of Object.entries(await manPages(await commandTree(), date))) {
    mkdirSync(dirname(`${root}/dist/man/${path}`), { recursive: true });
    writeFileSync(`${root}/dist/man/${path}`, text);
  }
}
