import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "rolldown";
import { expect, onTestFinished, test } from "vitest";
import { latePatterns } from "../../bin/build/late-patterns.js";

/** Bundles a module as the build does; answers with its code. */
async function bundled(source: string): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "bt-build-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, "src"));
  writeFileSync(path.join(folder, "src/module.ts"), source);
  const { output } = await build({
    input: `${folder}/src/module.ts`,
    plugins: [latePatterns()],
    write: false,
    logLevel: "silent",
  });
  return output[0].code;
}

test("a pattern declared after its uses is compiled at the first of them", async () => {
  const code = await bundled(`
    export function isWord(text: string): boolean {
      return WORD.test(text) && text.replace(WORD, "") === "";
    }
    const WORD: RegExp = /^\\p{L}+$/u;
  `);
  expect(code).not.toMatch(/\/\^\\p/);
  expect(code).toContain('WORD().test(text) && text.replace(WORD(), "")');
  const { isWord } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  expect(["wörd", "two words", ""].map(isWord)).toEqual([true, false, false]);
});

test("a pattern inside a function is compiled in place, with its flags and escapes", async () => {
  const code = await bundled('export const split = (text: string) => text.split(/[\\p{Zs}\\/"`\\\\]+/u);');
  const { split } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  expect(split('a\u3000b/c"d`e\\f')).toEqual(["a", "b", "c", "d", "e", "f"]);
});

test("other patterns are unchanged", async () => {
  const source = "export const both = (text: string) => /^\\d+$/.test(text) || /\\p{Nd}/u.test(text);";
  expect(await bundled(source)).toContain("/^\\d+$/");
});

test("a bundle without any deferred pattern fails the build", async () => {
  await expect(bundled("export const isId = (text: string) => /^\\d+$/.test(text);")).rejects.toThrow("no module");
});
