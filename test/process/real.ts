import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { execa } from "execa";
import { LAUNCHER } from "../built.ts";
import { freshFolder } from "../fresh-folder.ts";

/** End of a process, byte for byte. */
export type Finished = { readonly code: number | undefined; readonly out: string; readonly err: string };

/** Surroundings of a process beside its words. */
export type Given = {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
};

/** Runs the real `bt` in a process of its own, with a home of its own, no terminal, and nothing else of this machine's. */
export async function real(argv: readonly string[], { input = "", env = {}, cwd }: Given = {}): Promise<Finished> {
  const run = await execa(process.execPath, [LAUNCHER, ...argv], {
    ...QUIET,
    env: { ...surroundings(), ...env },
    input,
    ...(cwd ? { cwd } : {}),
  });
  return { code: run.exitCode, out: run.stdout, err: run.stderr };
}

/** Runs a line of bash in which `bt` is the real tool on the demo tracker, unless the environment names another. */
export async function shell(line: string, { env = {}, cwd }: Given = {}): Promise<Finished> {
  const run = await execa("bash", ["-c", line], {
    ...QUIET,
    env: { ...surroundings(), BT_BASE_URL: "demo:", ...env },
    stdin: "ignore",
    ...(cwd ? { cwd } : {}),
  });
  return { code: run.exitCode, out: run.stdout, err: run.stderr };
}

/** An environment with nothing of this machine's but Node: `bt` is on the path, and HOME is a fresh folder. */
export function surroundings(): Readonly<Record<string, string>> {
  const home = freshFolder();
  const bin = path.join(home, "bin");
  mkdirSync(bin);
  symlinkSync(LAUNCHER, path.join(bin, "bt"));
  symlinkSync(process.execPath, path.join(bin, "node"));
  return {
    PATH: [bin, "/usr/bin", "/bin"].join(path.delimiter),
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, "config"),
    XDG_CACHE_HOME: path.join(home, "cache"),
    XDG_DATA_HOME: path.join(home, "data"),
    XDG_STATE_HOME: path.join(home, "state"),
    BT_NO_CODE_CACHE: "1",
    LANG: "C.UTF-8",
    TZ: "UTC",
  };
}

const QUIET = {
  reject: false,
  extendEnv: false,
  stripFinalNewline: false,
  timeout: 60_000,
  maxBuffer: 512 << 20,
} as const;
