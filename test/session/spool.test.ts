import { readdirSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { spooledOutput } from "../../src/session/pager.ts";
import { freshFolder } from "../fresh-folder.ts";

const before = process.env["TMPDIR"];
let folder = "";
beforeEach(() => {
  folder = freshFolder();
  process.env["TMPDIR"] = folder;
});
afterEach(() => {
  if (before === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = before;
});

/** A spool of ten bytes, and what it handed on. */
function spool() {
  const parts: string[] = [];
  const state = { ended: false };
  const target = {
    write: async (text: string) => void parts.push(text),
    end: async () => void Object.assign(state, { ended: true }),
    cut: async () => true,
  };
  const hide = (text: string) => text.replaceAll("s3cret", "***");
  return { parts, state, sheet: spooledOutput(target, { hide }, 10) };
}

const TEXTS = ["[1,", "ä€😀,", "x".repeat(20), "", " s3cret ", "]"];

test("a complete text is passed on unchanged, from memory or from disk", async () => {
  for (const texts of [TEXTS.slice(0, 1), TEXTS]) {
    const { parts, state, sheet } = spool();
    for (const text of texts) await sheet.write(text);
    expect([parts, state.ended]).toEqual([[], false]);
    await sheet.end();
    expect([parts.join(""), state.ended]).toEqual([texts.join("").replace("s3cret", "***"), true]);
  }
});

test("a text that fits a pipe is passed on in one piece, so that no other process writes between its parts", async () => {
  const { parts, sheet } = spool();
  for (const text of ["[1,", "2", "]"]) await sheet.write(text);
  await sheet.end();
  expect(parts).toEqual(["[1,2]"]);
});

test("the file on disk has no name", async () => {
  const { sheet } = spool();
  for (const text of TEXTS) await sheet.write(text);
  expect(readdirSync(folder)).toEqual([]);
});

test("an incomplete text is not passed on", async () => {
  const { parts, state, sheet } = spool();
  for (const text of TEXTS) await sheet.write(text);
  expect(await sheet.cut()).toBe(false);
  expect([parts, state.ended]).toEqual([[], false]);
});

test("without a writable folder there is an error, and no output", async () => {
  process.env["TMPDIR"] = `${folder}/gone`;
  const { parts, sheet } = spool();
  await sheet.write("short");
  await expect(sheet.write("x".repeat(20))).rejects.toThrow(
    /^cannot buffer the output in .*: no such file or directory$/,
  );
  expect(parts).toEqual([]);
});
