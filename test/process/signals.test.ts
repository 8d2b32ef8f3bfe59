import { spawn } from "node:child_process";
import { describe, expect, test } from "vitest";
import { LAUNCHER } from "../built.ts";
import { demoServer } from "../servers/demo-server.ts";
import { endingReport } from "./ending.ts";
import { surroundings } from "./real.ts";

type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

/** Starts `bt`, sends it a signal once `ready` resolves, and returns how it ended, which has to be at once. */
async function interrupted(argv: readonly string[], signal: NodeJS.Signals, ready: Promise<unknown>): Promise<Ended> {
  const { env, expectQuickEnd } = endingReport(surroundings());
  const child = spawn(process.execPath, [LAUNCHER, ...argv], { env, stdio: ["ignore", "pipe", "pipe"] });
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    said.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    said.err += chunk;
  });
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  await ready;
  child.kill(signal);
  const code = await closed;
  expectQuickEnd();
  return { code, ...said };
}

/** A demo that never answers searches, and the moment at which it was asked for one. */
async function silentServer() {
  let heard = () => undefined as unknown;
  const asked = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const { url } = await demoServer(({ path }) => {
    if (path !== "/rest/bug") return undefined;
    heard();
    return new Promise(() => undefined);
  });
  return { url, asked };
}

describe("E8 E9 a signal ends a command that waits for a response", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s with %i, silently and at once", async (signal, code) => {
    const { url, asked } = await silentServer();
    const ended = await interrupted(["--base-url", url, "bug", "search", "--status", "CONFIRMED"], signal, asked);
    expect(ended).toMatchObject({ code, out: "", err: "" });
  });

  test("also while waiting for a retry", async () => {
    let heard = () => undefined as unknown;
    const asked = new Promise<void>((resolve) => {
      heard = resolve;
    });
    const { url } = await demoServer(({ path }) => {
      if (path !== "/rest/bug") return undefined;
      heard();
      return { status: 503, headers: { "retry-after": "30" }, body: "" };
    });
    const ended = await interrupted(["--base-url", url, "bug", "search", "--status", "CONFIRMED"], "SIGINT", asked);
    expect(ended).toMatchObject({ code: 130, out: "" });
  });
});

test("bt serve prints its address and ends with the exit code of the signal", async () => {
  const child = spawn(process.execPath, [LAUNCHER, "serve", "--demo", "--port", "0"], {
    env: surroundings(),
    stdio: ["ignore", "pipe", "ignore"],
  });
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  const first = await new Promise<string>((resolve) => child.stdout.once("data", (chunk) => resolve(String(chunk))));
  expect(first).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
  child.kill("SIGTERM");
  expect(await closed).toBe(143);
});
