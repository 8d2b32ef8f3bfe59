import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "rolldown";
import { expect, onTestFinished, test } from "vitest";
import { quickToRead } from "../../bin/build/quick-to-read.js";

/** Bundles files as the build does, from the last of them; gives the path of the bundle. */
async function bundled(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "bt-quick-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const file = path.join(folder, "out.mjs");
  await build({
    input: path.join(folder, Object.keys(files).at(-1) ?? ""),
    plugins: [quickToRead()],
    output: { file, minify: { compress: false, mangle: false, codegen: true } },
    logLevel: "silent",
  });
  return file;
}

test("chunks wrap CommonJS modules in functions and behave as before", async () => {
  const file = await bundled({
    "one.cjs": "module.exports = { one: `ü`.match(/^[^é]+/u)[0] };",
    "two.cjs": "exports.word = 'naïve';",
    "main.js": 'import one from "./one.cjs"; import { word } from "./two.cjs"; export const said = [one.one, word];',
  });
  expect(readFileSync(file, "utf8").match(/\(\(function\(\w(,\w)?\)\{/g)).toEqual([
    "((function(e,t){",
    "((function(e){",
  ]);
  expect((await import(file)).said).toEqual(["ü", "naïve"]);
});

test("chunks are ASCII and say the same", async () => {
  const said = 'export const said = ["…", `naïve`, /^[é😀]$/u.test("😀"), /→/.exec("→")[0]];';
  const file = await bundled({
    "one.cjs": "exports.one = 1;",
    "main.js": `import { one } from "./one.cjs"; export { one }; ${said}`,
  });
  expect(readFileSync(file, "utf8")).not.toMatch(/[^\0-\x7f]/);
  expect((await import(file)).said).toEqual(["…", "naïve", true, "→"]);
});

test("a backslash before a character that is not ASCII fails the build", async () => {
  const said = "export const said = /\\…/;";
  await expect(
    bundled({ "one.cjs": "exports.one = 1;", "main.js": `import { one } from "./one.cjs"; export { one }; ${said}` }),
  ).rejects.toThrow("a backslash is before a character that is not ASCII");
});

test("a bundle in which nothing is wrapped fails the build", async () => {
  await expect(bundled({ "main.js": "export const said = 1;" })).rejects.toThrow("no CommonJS module");
});
