import { isAbsolute } from "node:path";
import { BtError, usageError } from "../errors.ts";
import { commandWords, findProgram, runProgram } from "../platform.ts";
import { asSecret, type Secret } from "../secret.ts";
import { type AuthStyle, isAtOrBelow } from "../wire/exchange.ts";
import type { TrackerAddress } from "./choose-tracker.ts";
import { loginFor, readLogins, storedKey } from "./credentials.ts";
import { checkPrivate, type FileTrust, type Host, readSmallFile } from "./files.ts";

/** A key and its origin. */
export type FoundKey = {
  readonly key: Secret;
  readonly source: string; // for `bt auth status` and errors
  readonly style?: AuthStyle | undefined; // undefined: unknown
  readonly user?: string | undefined; // as a login has proven it
};

/** A tracker whose key is needed, and the possible sources. */
export type KeyQuestion = FileTrust & {
  readonly baseUrl: string;
  readonly keyFile?: string | undefined; // "-" for stdin
  readonly helper?: string | undefined; // command of the setting auth_helper
  readonly variableOwner: TrackerAddress | undefined; // of BT_API_KEY; undefined: that of the command
  readonly isOffline: boolean; // the key of another tracker is no error
  readonly readInput: () => Promise<Uint8Array>;
};

/** The key for a tracker from the first source that has one; undefined for anonymous access. */
export async function findKey(question: KeyQuestion, host: Host): Promise<FoundKey | undefined> {
  const { keyFile, helper, baseUrl, readInput } = question;
  if (keyFile !== undefined) return keyFromFile(keyFile, readInput, host.uid, question);
  return (
    keyFromVariable(question, host) ??
    (helper === undefined ? undefined : await keyFromHelper(helper, baseUrl, host)) ??
    keyFromStore(question, host)
  );
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
): Promise<FoundKey> {
  if (file === "-") return { key: checkedKey(Buffer.from(await readInput()).toString(), "stdin"), source: "stdin" };
  const found = readSmallFile(file);
  if (found === undefined) throw usageError(`no such key file: ${file}`);
  checkPrivate({ file, stats: found.stats, isChosen: true }, uid, trust);
  return { key: checkedKey(found.text, file), source: `the file ${file}` };
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

function keyFromVariable(question: KeyQuestion, { env }: Host): FoundKey | undefined {
  const { baseUrl, variableOwner: owner, isOffline } = question;
  const text = env["BT_API_KEY"];
  if (!text) return undefined;
  const isOwn = !owner || (owner.kind === "network" && isAtOrBelow(new URL(baseUrl), new URL(owner.baseUrl)));
  if (isOwn) return { key: checkedKey(text, "BT_API_KEY"), source: "BT_API_KEY" };
  if (isOffline) return undefined;
  const other = "baseUrl" in owner ? owner.baseUrl : "another tracker";
  throw new BtError("guard", `BT_API_KEY is the key for ${other}, and the command is for ${baseUrl}`, {
    hint: `use --api-key-file FILE, or unset BT_API_KEY to use a stored login; if the key is for this tracker: BT_BASE_URL=${baseUrl}`,
  });
}

async function keyFromStore({ baseUrl, insecureFiles }: KeyQuestion, host: Host): Promise<FoundKey | undefined> {
  const entry = loginFor(readLogins(host, { insecureFiles }), baseUrl);
  if (entry === undefined) return undefined;
  const text = await storedKey(entry, host);
  if (text === undefined)
    throw new BtError("auth", `cannot read the API key for ${entry.origin} from the keyring`, {
      hint: "unlock it, or: bt auth login",
    });
  const source = entry.key === undefined ? "the keyring" : "the stored login";
  return { key: checkedKey(text, source), source, user: entry.user, style: entry.style };
}

/**
 * The key that a credential helper prints, in git's protocol: `protocol=`, `host=` and `path=` lines in, `key=` out.
 * @see https://git-scm.com/docs/git-credential
 */
async function keyFromHelper(command: string, baseUrl: string, { env }: Host): Promise<FoundKey | undefined> {
  const [name = "", ...args] = commandWords(command);
  const program = findProgram(name, env);
  if (program === undefined) throw helperError(name, isAbsolute(name) ? "cannot be run" : "is not in PATH");
  const { protocol, host, pathname } = new URL(baseUrl);
  const input = `protocol=${protocol.slice(0, -1)}\nhost=${host}\npath=${pathname.slice(1)}\n\n`;
  const { code, output } = await runProgram({ program, args, input, env, timeoutMs: HELPER_MS });
  if (code === undefined) throw helperError(name, `timed out after ${HELPER_MS / 1000} s`);
  const lines = new Map(output.split("\n").map((line) => [line.split("=", 1)[0], line.slice(line.indexOf("=") + 1)]));
  const key = lines.get("key") ?? lines.get("password");
  if (code !== 0 || key === undefined) return undefined;
  const source = `the helper ${name}`;
  return { key: checkedKey(key, `the output of ${source}`), source };
}

const HELPER_MS = 10_000;

function helperError(name: string, why: string): BtError {
  return new BtError("local", `the key helper ${name} ${why}`, {
    hint: "bt config get auth_helper",
  });
}
