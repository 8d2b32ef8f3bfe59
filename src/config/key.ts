import { isAbsolute } from "node:path";
import { BtError, usageError } from "../errors.ts";
import { findProgram } from "../platform.ts";
import { asSecret, type Secret } from "../secret.ts";
import { AUTH_STYLES, type AuthStyle } from "../wire/auth-style.ts";
import { isAtOrBelow } from "../wire/exchange.ts";
import { commandWords } from "./command-words.ts";
import { loginFor, readLogins, storedKey } from "./credentials.ts";
import { checkUnreadable, type FileTrust } from "./file-trust.ts";
import { type Host, readSmallFile } from "./files.ts";
import { runProgram } from "./program.ts";

/** A key, its origin, and the base URL it is bound to. */
export type FoundKey = {
  readonly key: Secret;
  readonly source: string; // for `bt auth status` and errors
  readonly boundTo: string;
  readonly style?: AuthStyle | undefined; // undefined: unknown
  readonly user?: string | undefined;
};

/** A tracker whose key is needed, and the possible sources. */
export type KeyQuestion = FileTrust & {
  readonly baseUrl: string;
  readonly keyFile?: string | undefined; // "-" for stdin
  readonly helper?: string | undefined; // command of the setting auth_helper
  readonly variableBoundTo: string | undefined; // base URL of BT_API_KEY
  readonly readInput: () => Promise<Uint8Array>;
  readonly note: (sentence: string) => void;
};

/** The key for a tracker from the first source that has one; undefined for anonymous access. */
export async function findKey(question: KeyQuestion, host: Host): Promise<FoundKey | undefined> {
  for (const source of SOURCES) {
    const found = await source(question, host);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * A key without its trailing line break.
 * @throws BtError of kind usage for characters that a header cannot hold
 */
export function checkedKey(text: string, source: string): Secret {
  const key = text.replace(/\r?\n$/, "");
  if (key === "") throw usageError(`no API key in ${source}`);
  if (/[^ -~]/.test(key))
    throw usageError(`the API key in ${source} contains a line break, a control character or one beyond ASCII`);
  return asSecret(key);
}

/**
 * The key in a file, or on stdin for `-`.
 * @throws BtError of kind guard if others can read the file
 */
export async function keyFromFile(
  file: string,
  readInput: KeyQuestion["readInput"],
  uid: number | undefined,
  trust: FileTrust,
): Promise<{ key: Secret; source: string }> {
  if (file === "-") {
    const text = Buffer.from(await readInput()).toString();
    return { key: checkedKey(text, "stdin"), source: "stdin" };
  }
  const found = readSmallFile(file);
  if (found === undefined) throw usageError(`no such key file: ${file}`);
  checkUnreadable({ file, stats: found.stats }, uid, trust);
  return { key: checkedKey(found.text, file), source: `the file ${file}` };
}

type Source = (question: KeyQuestion, host: Host) => Promise<FoundKey | undefined>;

const SOURCES: readonly Source[] = [keyFromKeyFile, keyFromVariable, keyFromHelper, keyFromStore];

async function keyFromKeyFile(
  { baseUrl, keyFile, readInput, insecureFiles }: KeyQuestion,
  { uid }: Host,
): Promise<FoundKey | undefined> {
  if (keyFile === undefined) return undefined;
  return { ...(await keyFromFile(keyFile, readInput, uid, { insecureFiles })), boundTo: baseUrl };
}

async function keyFromVariable(
  { baseUrl, variableBoundTo, note }: KeyQuestion,
  { env }: Host,
): Promise<FoundKey | undefined> {
  const text = env["BT_API_KEY"];
  if (!text) return undefined;
  if (variableBoundTo === undefined || !isAtOrBelow(new URL(baseUrl), new URL(variableBoundTo))) {
    const unbound = `it goes with BT_BASE_URL, which is not set; if it is the key for this tracker: export BT_BASE_URL=${baseUrl}`;
    const reason = variableBoundTo ? `it is the key for ${variableBoundTo}` : unbound;
    note(`refusing to send BT_API_KEY to ${baseUrl}: ${reason}`);
    return undefined;
  }
  return { key: checkedKey(text, "BT_API_KEY"), source: "BT_API_KEY", boundTo: variableBoundTo };
}

async function keyFromHelper({ baseUrl, helper }: KeyQuestion, host: Host): Promise<FoundKey | undefined> {
  const answer = helper === undefined ? undefined : await askHelper(helper, baseUrl, host);
  return answer && { ...answer, key: checkedKey(answer.key, `the output of ${answer.source}`), boundTo: baseUrl };
}

async function keyFromStore({ baseUrl, insecureFiles }: KeyQuestion, host: Host): Promise<FoundKey | undefined> {
  const entry = loginFor(readLogins(host, { insecureFiles }), baseUrl);
  if (entry === undefined) return undefined;
  const text = await storedKey(entry, host);
  if (text === undefined) {
    const hint = "unlock it, or: bt auth login";
    throw new BtError("auth", `cannot read the API key for ${entry.origin} from the keyring`, {
      hint,
      changed: "nothing",
    });
  }
  const source = entry.key === undefined ? "the keyring" : "the stored login";
  return { key: checkedKey(text, source), source, boundTo: entry.origin, user: entry.user, style: entry.style };
}

/** Response of a credential helper: the key, and its user and style if given. */
export type HelperAnswer = {
  readonly key: string;
  readonly source: string;
  readonly user: string | undefined;
  readonly style: AuthStyle | undefined;
};

/**
 * Asks a credential helper, in git's protocol: `protocol=`, `host=` and `path=` lines in, `key=` out. Undefined if it
 * has no key.
 * @see https://git-scm.com/docs/git-credential
 */
async function askHelper(command: string, baseUrl: string, machine: Host): Promise<HelperAnswer | undefined> {
  const [name = "", ...args] = commandWords(command);
  const program = findProgram(name, machine);
  if (program === undefined) throw helperError(name, isAbsolute(name) ? "cannot be run" : "is not in PATH");
  const { protocol, host, pathname } = new URL(baseUrl);
  const input = `protocol=${protocol.slice(0, -1)}\nhost=${host}\npath=${pathname.slice(1)}\n\n`;
  const { code, output } = await runProgram({ program, args, input, env: machine.env, timeoutMs: LIMIT_MS });
  if (code === undefined) throw helperError(name, `timed out after ${LIMIT_MS / 1000} s`);
  return code === 0 ? parseHelperOutput(output, name) : undefined;
}

const LIMIT_MS = 10_000;

function parseHelperOutput(output: string, name: string): HelperAnswer | undefined {
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

function helperError(name: string, why: string): BtError {
  return new BtError("local", `the key helper ${name} ${why}`, {
    hint: "bt config get auth_helper",
    changed: "nothing",
  });
}
