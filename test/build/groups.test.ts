import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "rolldown";
import { expect, onTestFinished, test } from "vitest";
import { checkGroups, groups } from "../../bin/build/groups.js";

/** Bundles a main module that loads two others when they are used; gives the names of the chunks. */
async function chunks(takes: readonly string[]): Promise<readonly string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "bt-groups-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string) => path.join(folder, "src", name);
  mkdirSync(file("view"), { recursive: true });
  writeFileSync(file("main.ts"), 'export const both = () => [import("./one.ts"), import("./two.ts")];');
  writeFileSync(file("one.ts"), 'export { text } from "./view/text.ts"; export const one = 1;');
  writeFileSync(file("two.ts"), 'export { text } from "./view/text.ts"; export const two = 2;');
  writeFileSync(file("view/text.ts"), "export const text = 3;");
  const rows = [{ name: "cards", takes, minShareCount: 2 }];
  const { output } = await build({
    input: file("main.ts"),
    output: { codeSplitting: { groups: groups(rows) } },
    write: false,
    logLevel: "silent",
  });
  checkGroups(output, rows);
  return output.map(({ name }) => name ?? "");
}

test("a module shared by two chunks is in the chunk of its folder", async () => {
  expect(await chunks(["view/"])).toContain("cards");
});

test.each(["views/", "view/table.ts"])(
  "a chunk that matches %s, which does not exist, fails the build",
  async (gone) => {
    await expect(chunks(["view/", gone])).rejects.toThrow(`the chunk cards has nothing of src/${gone}`);
  },
);
