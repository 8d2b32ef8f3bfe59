import { isAbsolute } from "node:path";
import { BtError } from "../errors.ts";
import { AUTH_STYLES, type AuthStyle } from "../wire/auth-style.ts";
import type { Host } from "./host.ts";
import { commandWords, findProgram, runProgram } from "./program.ts";

/** What a helper answered: the key, and whose and of which style it is when it says so. */
export type HelperAnswer = {
  readonly key: string;
  readonly source: string;
  readonly user: string | undefined;
  readonly style: AuthStyle | undefined;
};

/**
 * Asks a program for the key of a tracker, in the way in which git asks its own: `protocol=`, `host=` and `path=` go in line by
 * line, `key=` comes out so. Undefined when it has none.
 */
export async function askHelper(command: string, baseUrl: string, env: Host["env"]): Promise<HelperAnswer | undefined> {
  const [name = "", ...args] = commandWords(command);
  const program = findProgram(name, env["PATH"]);
  if (program === undefined) throw failure(name, isAbsolute(name) ? "cannot be run" : "is not in a folder of PATH");
  const { protocol, host, pathname } = new URL(baseUrl);
  const input = `protocol=${protocol.slice(0, -1)}\nhost=${host}\npath=${pathname.slice(1)}\n\n`;
  const { code, output } = await runProgram({ program, args, input, env, timeoutMs: LIMIT_MS });
  if (code === undefined) throw failure(name, `did not answer within ${LIMIT_MS / 1000} s`);
  return code === 0 ? read(output, name) : undefined;
}

const LIMIT_MS = 10_000;

function read(output: string, name: string): HelperAnswer | undefined {
  const answers = new Map(output.split("\n").map((line) => [line.split("=", 1)[0], line.slice(line.indexOf("=") + 1)]));
  const key = answers.get("key") ?? answers.get("password");
  const style = answers.get("style") ?? "";
  return key === undefined
    ? undefined
    : {
        key,
        source: `the helper ${name}`,
        user: answers.get("user") ?? answers.get("username"),
        style: Object.hasOwn(AUTH_STYLES, style) ? (style as AuthStyle) : undefined,
      };
}

function failure(name: string, why: string): BtError {
  return new BtError("local", `the key helper ${name} ${why}`, {
    hint: "bt config get auth_helper",
    changed: "nothing",
  });
}
