import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "rolldown";
import { expect, onTestFinished, test } from "vitest";
import { licences } from "../../bin/build/licences.js";

/** Bundles a folder of files, given by path and text, from its main.js. */
async function bundle(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(path.join(tmpdir(), "bt-licences-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const { output } = await build({
    input: `${folder}/main.js`,
    plugins: [licences()],
    write: false,
    logLevel: "silent",
  });
  return output;
}

function manifest(name: string) {
  return JSON.stringify({ name, version: "1.2.3", license: "MIT", main: "lib/command.js" });
}

test("the licences of all bundled packages are collected, and no others", async () => {
  const files = {
    "main.js": 'import "one";',
    "node_modules/one/package.json": manifest("one"),
    "node_modules/one/lib/command.js": 'import "@two/two";\nconsole.log(1);',
    "node_modules/one/LICENSE": "Do what you like with one.\n",
    "node_modules/@two/two/package.json": manifest("@two/two"),
    "node_modules/@two/two/lib/command.js": "console.log(2);",
    "node_modules/@two/two/licence.md": "Two is free.",
    "node_modules/three/package.json": manifest("three"),
  };
  const texts = (await bundle(files)).flatMap((file) => (file.type === "asset" ? [file.source] : []));
  expect(texts).toEqual([
    `@two/two 1.2.3 (MIT)\n\nTwo is free.\n\n${"-".repeat(72)}\n\none 1.2.3 (MIT)\n\nDo what you like with one.\n`,
  ]);
});

test("a bundled package without a licence fails the build", async () => {
  const files = {
    "main.js": 'import "one";',
    "node_modules/one/package.json": manifest("one"),
    "node_modules/one/lib/command.js": "console.log(1);",
  };
  await expect(bundle(files)).rejects.toThrow("one comes without a licence text");
});
