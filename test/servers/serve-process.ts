import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { LAUNCHER } from "../built.ts";
import { surroundings } from "../process/real.ts";

/** The real `bt serve` as a process of its own. */
export type ServeProcess = {
  readonly url: string;
  readonly pid: number;
  /** Ends it by a signal and waits until it is gone. */
  readonly kill: (signal: NodeJS.Signals) => Promise<number | null>;
  readonly said: () => string; // on standard error
};

/** Starts `bt serve` on any free port and waits until it has said where it is; `env` keeps a home over several starts. */
export async function serveProcess(flags: readonly string[], env = surroundings()): Promise<ServeProcess> {
  const child = spawn(process.execPath, [LAUNCHER, "serve", "--port", "0", ...flags], {
    env: { ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const greeted = new Promise<void>((resolve) => {
    const hear = (stream: "out" | "err") => (chunk: Buffer) => {
      said[stream] += chunk;
      if (said.out.endsWith("\n") && said.err.includes("Ctrl-C")) resolve();
    };
    child.stdout.on("data", hear("out"));
    child.stderr.on("data", hear("err"));
  });
  await Promise.race([
    greeted,
    ended.then((code) => Promise.reject(new Error(`bt serve ended with ${code}: ${said.err}`))),
  ]);
  return {
    url: said.out.trim(),
    pid: child.pid ?? 0,
    kill: (signal) => {
      child.kill(signal);
      return ended;
    },
    said: () => said.err,
  };
}

/** The key of its owner that a first start has written beside the data. */
export function ownKey(data: string): string {
  return existsSync(`${data}.key`) ? readFileSync(`${data}.key`, "utf8").trim() : "";
}
