import { wholeNumber } from "./api/number.ts";
import { type Input, textOf } from "./commands/verb.ts";
import { type FoundKey, findKey } from "./config/key.ts";
import { readSettings } from "./config/settings.ts";
import { type Chosen, ownerOfVariable } from "./config/tracker.ts";
import type { Secrets, Way } from "./connect.ts";
import type { Io } from "./io.ts";
import type { AuthStyle } from "./wire/auth-style.ts";

/** What decides how a tracker on the network is spoken to, beside its address. */
export type Speaking = {
  readonly flags: Input["flags"];
  readonly io: Io;
  readonly version: string;
  readonly secrets: Secrets;
};

/** Opens a tracker on the network with the key that belongs to it, flags before settings. */
export async function openNetwork(baseUrl: string, chosen: Chosen, speaking: Speaking): Promise<Way> {
  const { flags, io, version, secrets } = speaking;
  const { settings } = chosen;
  const [{ online }, key] = await Promise.all([import("./transport/online.ts"), keyFor(baseUrl, chosen, speaking)]);
  if (key) secrets.learn(key.key.reveal());
  const seconds = numberOf("timeout", flags, settings.timeout);
  const mebibytes = numberOf("max-size", flags, settings.max_size);
  const note = (sentence: string) => void io.err(`bt: ${sentence}\n`);
  const { exchange, close } = online({
    baseUrl,
    userAgent: `bt/${version}`,
    env: io.env,
    engine: io.engine,
    caFile: textOf(flags["ca-file"]) ?? settings.ca_file,
    insecure: flags["insecure"] === true,
    proxy: textOf(flags["proxy"]) ?? settings.proxy,
    limits: {
      ...(seconds === undefined ? {} : { readMs: seconds * 1000, writeMs: seconds * 1000 }),
      ...(mebibytes === undefined ? {} : { maxBytes: mebibytes * 1024 * 1024 }),
    },
    signal: io.signal,
    note,
    credential: key && { style: styleOf(key, settings.auth_style), key: key.key, boundTo: key.boundTo },
    allowHttp: flags["allow-http"] === true || settings.allow_http === true,
    retries: numberOf("retry", flags, settings.retry),
    trace: traceOf(flags, io),
    random: Math.random,
  });
  return { exchange, close, login: key?.user };
}

function keyFor(baseUrl: string, chosen: Chosen, { flags, io }: Speaking): Promise<FoundKey | undefined> {
  const question = {
    baseUrl,
    keyFile: textOf(flags["api-key-file"]),
    helper: chosen.settings.auth_helper,
    variableBoundTo: ownerOfVariable({ env: io.env, settings: readSettings(io.env) }),
    readInput: io.input,
    note: (sentence: string) => void io.err(`bt: ${sentence}\n`),
  };
  return findKey(question, io);
}

/** Without proof of another style a key goes where every server of the interface's own family takes it. */
function styleOf(key: FoundKey, setting: string | undefined): AuthStyle {
  return key.style ?? (setting && setting !== "auto" ? (setting as AuthStyle) : "query");
}

function numberOf(flag: string, flags: Input["flags"], setting: number | undefined): number | undefined {
  const text = textOf(flags[flag]);
  return text === undefined ? setting : wholeNumber(flag, text);
}

function traceOf(flags: Input["flags"], io: Io) {
  const isDebug = flags["debug"] === true || Boolean(io.env["BT_DEBUG"]);
  if (!isDebug && flags["verbose"] !== true) return undefined;
  const level = isDebug ? ("debug" as const) : ("verbose" as const);
  return { level, write: (line: string) => void io.err(`${line}\n`), now: () => performance.now() };
}
