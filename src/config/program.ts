import { usageError } from "../errors.ts";
import { childEnv, loadChildProcess } from "../platform.ts";

/** A run of another program. */
export type ProgramRun = {
  readonly program: string; // absolute path
  readonly args: readonly string[];
  readonly input: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
};

/** Output of a program; `code` is undefined if it timed out or could not be started. */
type ProgramResult = { code: number | undefined; output: string };

/**
 * Runs a program without a shell, outside the current folder, and without the API key in its
 * environment.
 */
export async function runProgram({ program, args, input, env, timeoutMs }: ProgramRun): Promise<ProgramResult> {
  const { spawn } = await loadChildProcess();
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: "/", env: childEnv(env), stdio: ["pipe", "pipe", "ignore"] });
    const timer = setTimeout(() => end(undefined), timeoutMs);
    let output = "";
    const end = (code: number | undefined) => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      child.stdout.destroy();
      resolve({ code, output });
    };
    child.on("error", () => end(undefined));
    child.on("close", (code) => end(code ?? undefined));
    child.stdin.on("error", () => undefined); // the program need not read its input
    child.stdin.end(input);
    child.stdout.on("data", (chunk) => {
      output += chunk;
      if (output.length > MAX_OUTPUT) end(undefined);
    });
  });
}

const MAX_OUTPUT = 64 * 1024;

/**
 * Words of a command line: separated by whitespace, grouped by quotes, also within a word; no other
 * shell syntax.
 */
export function commandWords(line: string): string[] {
  const words = [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"']|["'])+/g)].map(([word]) =>
    word.replace(QUOTED, (_, double, single) => double ?? single),
  );
  if (words.length > 0) return words;
  throw usageError("the command is empty");
}

const QUOTED = /"([^"]*)"|'([^']*)'/g;
