import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "rolldown";
import { expect, onTestFinished, test } from "vitest";
import { quickToRead } from "../../bin/build/quick-to-read.js";

test("chunks are ASCII and wrap CommonJS modules in functions, and say the same as before", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "bt-quick-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string) => path.join(folder, name);
  writeFileSync(file("one.cjs"), "module.exports = { grüße: `ü\u{1f600}`.match(/^[^é]+/u)[0] };");
  writeFileSync(file("two.cjs"), "exports.word = 'naïve';");
  writeFileSync(
    file("main.js"),
    'import one from "./one.cjs"; import { word } from "./two.cjs"; export const said = [one.grüße, word];',
  );
  await build({
    input: file("main.js"),
    plugins: [quickToRead()],
    output: { file: file("out.mjs"), minify: { compress: false, mangle: false, codegen: true } },
    logLevel: "silent",
  });
  const code = readFileSync(file("out.mjs"), "utf8");
  expect(code).toMatch(/^[\0-\x7f]*$/);
  expect(code.match(/\(\(function\(exports(,module)?\)\{/g)).toEqual([
    "((function(exports,module){",
    "((function(exports){",
  ]);
  expect((await import(file("out.mjs"))).said).toEqual(["ü\u{1f600}", "naïve"]);
});
