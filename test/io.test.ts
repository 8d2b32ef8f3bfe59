import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { buffer } from "node:stream/consumers";
import { build } from "rolldown";
import { expect, onTestFinished, test } from "vitest";

/** Runs statements in a process of their own, in which `io` is the real one and standard output is a pipe. */
async function processWith(statements: string, env: NodeJS.ProcessEnv = process.env) {
  const folder = mkdtempSync(path.join(tmpdir(), "bt-io-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "io.cjs");
  const input = path.join(import.meta.dirname, "../src/io.ts");
  await build({
    input,
    platform: "node",
    output: { file, format: "cjs", codeSplitting: false },
  });
  const script = `const io = require(${JSON.stringify(file)}).createProcessIo(); (async () => { ${statements} })();`;
  return spawn(process.execPath, ["-e", script], { env, stdio: ["ignore", "pipe", "pipe"] });
}

test("many sleeps at once are no reason for a warning", async () => {
  const child = await processWith("await Promise.all([...Array(20)].map(() => io.sleep(1)));");
  expect(String(await buffer(child.stderr))).toBe("");
});

test("a full non-blocking pipe gets every byte, in order, once it is read", async () => {
  const child = await processWith(`
    process.stdout.write("begin "); // Node's own stream leaves the pipe non-blocking
    const all = Promise.all([io.out("x".repeat(1_000_000)), io.out(" middle "), io.out("y".repeat(1_000_000))]);
    await io.err("full");
    await all;
    await io.out(" end");
  `);
  expect(String(await once(child.stderr, "data"))).toBe("full");
  const text = String(await buffer(child.stdout));
  expect(text).toBe(`begin ${"x".repeat(1_000_000)} middle ${"y".repeat(1_000_000)} end`);
});

test("an empty text to stderr waits for all before it", async () => {
  const child = await processWith('void io.err("x".repeat(1_000_000)); await io.err(""); process.exit();');
  expect((await buffer(child.stderr)).length).toBe(1_000_000);
});
