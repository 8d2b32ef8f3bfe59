import { spawn } from "node:child_process";
import { LAUNCHER, surroundings } from "../process/real.ts";

/** The real `bt` as a process that is still running. */
export type Running = {
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly pid: number;
  /** How it ended, and how long after the last signal in milliseconds. */
  readonly end: Promise<{
    readonly code: number | null;
    readonly out: string;
    readonly err: string;
    readonly ms: number;
  }>;
};

/** Starts the real `bt` with a home of its own, or one that is given. */
export function start(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  const child = spawn(process.execPath, [LAUNCHER, ...argv], {
    env: { ...surroundings(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  let since = performance.now();
  child.stdout.on("data", (chunk) => {
    said.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    said.err += chunk;
  });
  return {
    kill: (signal) => {
      since = performance.now();
      child.kill(signal);
    },
    pid: child.pid ?? 0,
    end: new Promise((resolve) =>
      child.on("close", (code) => resolve({ code, ...said, ms: performance.now() - since })),
    ),
  };
}
