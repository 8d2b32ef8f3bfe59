import path from "node:path";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { LAUNCHER } from "../built.ts";
import { freshFolder } from "../fresh-folder.ts";

const HIDDEN = ["--require", path.join(import.meta.dirname, "no-sqlite.cjs")];

function run(words: string, node: readonly string[] = []) {
  const env = { HOME: freshFolder() };
  return execa(process.execPath, [...node, LAUNCHER, ...words.split(" ")], { env, stdin: "ignore", reject: false });
}

describe("without SQLite", () => {
  test.each(["bug get 48 --base-url demo:", "bug search is:open --base-url local:", "admin apply -"])(
    "bt %s is a local error that names the package, and what helps",
    async (words) => {
      const { exitCode, stdout, stderr } = await run(words, HIDDEN);
      expect([exitCode, stdout]).toEqual([12, ""]);
      expect(stderr).toMatch(/^bt: Node before 22\.13 requires the optional package libsql, .*\nhint: update Node/);
    },
  );

  test("bt finds a tracker on the network", async () => {
    const { exitCode } = await run("api /rest/version --base-url http://127.0.0.1:9", HIDDEN);
    expect(exitCode).toBe(6);
  });
});

test("Node's warning about its own SQLite is left out", async () => {
  expect(await run("bug get 48 --base-url demo: --json=id")).toMatchObject({ stdout: '[{"id":48}]', stderr: "" });
});
