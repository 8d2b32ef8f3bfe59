import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build, type RolldownPluginOption } from "rolldown";
import { expect, onTestFinished, test } from "vitest";
import { licences } from "../../bin/build/licences.js";
import { patches } from "../../bin/build/patches.js";

/** Bundles a folder of files, given by path and text, from its main.js. */
async function bundle(files: Readonly<Record<string, string>>, plugin: RolldownPluginOption) {
  const folder = mkdtempSync(path.join(tmpdir(), "bt-packages-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const { output } = await build({ input: `${folder}/main.js`, plugins: [plugin], write: false, logLevel: "silent" });
  return output;
}

function manifest(name: string) {
  return JSON.stringify({ name, version: "1.2.3", license: "MIT", main: "lib/command.js" });
}

const commander = "node_modules/commander";
const file = `${commander}/lib/command.js`;
const TEXT = { file, find: "import childProcess", put: "const childProcess = 1; import" };
const STAND_IN = { says: "undici", file: "undici.js" };

test("a package without the text to be replaced fails the build", async () => {
  const files = {
    "main.js": 'import "commander";',
    [`${commander}/package.json`]: manifest("commander"),
    [`${commander}/lib/command.js`]: "import childProcess from 'node:child_process';",
  };
  const plugin = patches({
    texts: [{ ...TEXT, find: "require('node:child_process')" }],
    standIns: [],
    values: [],
  });
  await expect(bundle(files, plugin)).rejects.toThrow("commander/lib/command.js no longer says");
});

test("a package without the file fails the build", async () => {
  const files = {
    "main.js": 'import "commander/index.js";',
    [`${commander}/package.json`]: manifest("commander"),
    [`${commander}/index.js`]: "console.log(1);",
  };
  await expect(bundle(files, patches({ texts: [TEXT], standIns: [], values: [] }))).rejects.toThrow(
    "commander/lib/command.js",
  );
});

test("a stand-in for a package that is not imported fails the build", async () => {
  const plugin = patches({
    texts: [],
    standIns: [STAND_IN, { says: "gone", file: "no-http2.js" }],
    values: [],
  });
  const source = 'import { Client } from "undici";\nconsole.log(Client);';
  await expect(bundle({ "main.js": source }, plugin)).rejects.toThrow(
    'no module of the bundle is changed by {"says":"gone"',
  );
});

test("a module of values that is not imported fails the build", async () => {
  const plugin = patches({ texts: [], standIns: [], values: [{ file: "gone.js", keeps: "gone.bin" }] });
  await expect(bundle({ "main.js": "console.log(1);" }, plugin)).rejects.toThrow('is changed by {"file":"gone.js"');
});

test("of a module of values some exports are kept, and bytes become a file", async () => {
  const files = {
    "main.js": 'import { few } from "./table.cjs";\nimport bytes from "./bytes.cjs";\nconsole.log(few, bytes);',
    "table.cjs": "exports.few = [1 + 1];\nexports.many = Array(1000).fill(1);",
    "bytes.cjs": 'module.exports = Buffer.from("AAEC", "base64");',
  };
  const values = [
    { file: "table.cjs", keeps: ["few"] },
    { file: "bytes.cjs", keeps: "three.bin" },
  ];
  const output = await bundle(files, patches({ texts: [], standIns: [], values }));
  const [code] = output.flatMap((file) => (file.type === "chunk" ? [file.code] : []));
  expect(code).toContain("exports.few = [2]");
  expect(code).not.toContain("many");
  const assets = output.flatMap((file) =>
    file.type === "asset" ? [[file.fileName, ...Buffer.from(file.source)]] : [],
  );
  expect(assets).toEqual([["three.bin", 0, 1, 2]]);
});

test("an export missing from a stand-in fails the build", async () => {
  const plugin = patches({ texts: [], standIns: [STAND_IN], values: [] });
  await expect(bundle({ "main.js": 'import { fetch } from "undici";\nfetch();' }, plugin)).rejects.toThrow("fetch");
});

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
  const texts = (await bundle(files, licences())).flatMap((file) => (file.type === "asset" ? [file.source] : []));
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
  await expect(bundle(files, licences())).rejects.toThrow("one comes without a licence text");
});
