import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { basename, delimiter, isAbsolute, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** File of the terminal of a process. */
export const TERMINAL_FILE = "/dev/tty";

/** The shell and its arguments for a command line of the user's settings, with one more argument if a file is given. */
export function shellCommand(line: string, file?: string): readonly [program: string, args: readonly string[]] {
  return ["/bin/sh", file === undefined ? ["-c", line] : ["-c", `${line} "$1"`, "bt", file]];
}

/** Exit codes of the shell for a program that is missing or not executable. */
export const NOT_FOUND: readonly number[] = [126, 127];

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

/** Node's module that starts programs; loading it takes 4 ms, so only commands that start one do. */
export function loadChildProcess(): Promise<typeof import("node:child_process")> {
  return import("node:child_process");
}

/** Start time of a process: field 22 of stat, after a name of arbitrary characters. */
export function processStart(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\)/s, "").trim().split(" ")[19];
  } catch {
    return undefined;
  }
}
