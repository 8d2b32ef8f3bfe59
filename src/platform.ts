import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { basename, delimiter, isAbsolute, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** File of the terminal of a process. */
export const TERMINAL_FILE = "/dev/tty";

/** Path of a program: absolute, or found in an absolute folder of PATH, never in the current folder. */
export function findProgram(name: string, env: Environment): string | undefined {
  const isPath = basename(name) !== name;
  const folders = isPath ? [] : (env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  const places = isPath && isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
  return places.find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Environment of child processes: without the API key, and without programs of the current folder. */
export function childEnv(env: Environment): Environment {
  const { BT_API_KEY: _, ...rest } = env;
  const folders = (env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  return { ...rest, PATH: folders.join(delimiter) };
}

/**
 * Runs a program of an absolute path without a shell, outside the current folder, and without the API key in its environment.
 * `code` is null if it timed out, printed too much, or could not be started.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  input: string,
  timeout: number,
  env: Environment,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { spawnSync } = await import("node:child_process"); // loading it takes 4 ms
  const limits = { timeout, killSignal: "SIGKILL", maxBuffer: MAX_OUTPUT } as const;
  const options = { ...limits, input, cwd: "/", env: childEnv(env), encoding: "utf8" } as const;
  const { status, stdout } = spawnSync(program, args, options);
  return { code: status, output: stdout };
}

const MAX_OUTPUT = 64 * 1024;

/** Words of a command line: separated by whitespace, grouped by quotes, also within a word; no other shell syntax. */
export function commandWords(line: string): string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"']|["'])+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single),
  );
}

/**
 * Start time of a process, which distinguishes it from a later one of that pid: field 22 of stat, after a name of any
 * characters. Undefined if there is no such process.
 */
export function processStart(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\)/s, "").trim().split(" ")[19];
  } catch {
    return undefined;
  }
}
