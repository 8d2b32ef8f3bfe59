import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "rolldown";
import { expect, onTestFinished, test } from "vitest";
import { plainExports } from "../../bin/build/plain-exports.js";

/** Bundles files, as the build does, into chunks of which the last file is the entry; gives their folder. */
async function bundled(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "bt-exports-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  await build({
    input: path.join(folder, Object.keys(files).at(-1) ?? ""),
    plugins: [plainExports()],
    output: {
      dir: path.join(folder, "out"),
      format: "cjs",
      codeSplitting: { groups: [{ name: "shared", test: /shared/ }] },
      entryFileNames: "[name].cjs",
      chunkFileNames: "[name].cjs",
      minify: { compress: false, mangle: false, codegen: true },
    },
    logLevel: "silent",
  });
  return path.join(folder, "out");
}

const require = createRequire(import.meta.url);

test("what never changes is exported as a value, what is assigned later through a getter", async () => {
  const folder = await bundled({
    "shared.js":
      "export const one = 1; export function two() { return 2; } export let count = 0; export const add = () => (count += 1);",
    "main.js":
      'import { add, count, one, two } from "./shared.js"; add(); add(); export const said = [one, two(), count];',
  });
  expect(readdirSync(folder).toSorted()).toEqual(["main.cjs", "shared.cjs"]);
  const text = readFileSync(path.join(folder, "shared.cjs"), "utf8");
  expect(text.match(/get:function\(\)\{return \w+\}/g)).toEqual(["get:function(){return count}"]);
  expect(require(path.join(folder, "main.cjs")).said).toEqual([1, 2, 2]);
});

test("a bundle without a getter to replace fails the build", async () => {
  await expect(bundled({ "main.js": "console.log(1);" })).rejects.toThrow("no chunk has getters");
});
