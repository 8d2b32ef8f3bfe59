import { readResponse } from "../api/response/response.ts";
import { variableKeyOwner } from "../config/choose-tracker.ts";
import { type FoundKey, findKey } from "../config/key.ts";
import { readSettings, type SettingValues } from "../config/settings.ts";
import { usage } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Secret, Secrets } from "../secret.ts";
import { plain } from "../view/text.ts";
import { AUTH_STYLES, type AuthStyle } from "../wire/auth-style.ts";
import type { Exchange } from "../wire/exchange.ts";
import { type FlagValues, flagValue, wholeNumber } from "./flags.ts";
import type { LoginAccess, StyledKey } from "./session.ts";

/** One way to a tracker, opened: its Exchange, who one is there as far as it is known, and its end. */
export type Channel = {
  readonly exchange: Exchange;
  readonly login?: string | undefined;
  readonly account: string; // tells accounts apart; holds no secret
  readonly key?: Secret | undefined;
  readonly keySource?: string | undefined; // where the key came from, in words
  readonly close: () => void;
};

/** Everything that decides how a tracker on the network is spoken to. */
export type NetworkConfig = {
  readonly baseUrl: string;
  readonly settings: SettingValues;
  readonly flags: FlagValues;
  readonly io: Io;
  readonly version: string;
  readonly secrets: Secrets;
};

/** Opens a tracker on the network with the key that belongs to it. */
export async function openNetwork(speaking: NetworkConfig): Promise<Channel> {
  const key = await keyFor(speaking);
  const credential = key && { style: styleOf(key, speaking), key: key.key, boundTo: key.boundTo };
  const account = credential ? await accountOf(credential, key?.user) : "anonymous";
  return {
    ...(await openChannel(speaking, credential)),
    account,
    login: key?.user,
    key: key?.key,
    keySource: key?.source,
  };
}

/**
 * The account behind a credential: its login where that is known, else a fingerprint of the key. The style is part of it,
 * since a server that ignores a style answers as to an anonymous user.
 */
async function accountOf({ style, key }: StyledKey, login: string | undefined): Promise<string> {
  if (login !== undefined) return `${style} login:${login}`;
  const { createHash } = await import("node:crypto");
  const fingerprint = createHash("sha256").update(`bt account\0${key.reveal()}`).digest("hex").slice(0, 16);
  return `${style} key:${fingerprint}`;
}

/** The tracker under any credential, for logging in to it; the connections end by themselves when nothing is asked any more. */
export function loginAccess(speaking: NetworkConfig): LoginAccess {
  const { baseUrl } = speaking;
  return {
    askAs(credential?: StyledKey) {
      const way = openChannel(speaking, credential && { ...credential, boundTo: baseUrl });
      return async (request) => readResponse(await (await way).exchange(request), request);
    },
    async key() {
      const found = await keyFor(speaking);
      return found && { ...found, style: found.style ?? settledStyle(speaking) };
    },
    hide: (password) => speaking.secrets.learn(password.reveal()),
  };
}

type Credential = StyledKey & { readonly boundTo: string };

/** Speaks to the tracker under a credential; a flag goes before a setting. */
async function openChannel(
  speaking: NetworkConfig,
  credential: Credential | undefined,
): Promise<Pick<Channel, "exchange" | "close">> {
  const { baseUrl, settings, flags, io, version, secrets } = speaking;
  if (credential) secrets.learn(credential.key.reveal());
  const { openOnline } = await import("../transport/online.ts");
  const insecure = flags["insecure"] === true;
  if (insecure) await io.err(`bt: warning: whether this is ${new URL(baseUrl).host} is not checked (--insecure)\n`);
  return openOnline({
    baseUrl,
    userAgent: `bt/${version}`,
    env: io.env,
    engine: io.engine,
    caFile: flagValue(flags["ca-file"]) ?? settings.ca_file,
    insecure,
    proxy: flagValue(flags["proxy"]) ?? settings.proxy,
    limits: limitsOf(flags, settings),
    signal: io.signal,
    halt: io.halt,
    sleep: io.sleep,
    note: (sentence) => void io.err(`bt: ${plain(sentence)}\n`),
    credential,
    allowHttp: flags["allow-http"] === true || settings.allow_http === true,
    retries: numberOf("retry", flags, settings.retry),
    trace: traceOf(flags, io),
    random: Math.random,
  });
}

function keyFor({ baseUrl, settings, flags, io }: NetworkConfig): Promise<FoundKey | undefined> {
  const question = {
    baseUrl,
    keyFile: flagValue(flags["api-key-file"]),
    helper: settings.auth_helper,
    variableBoundTo: variableKeyOwner({ env: io.env, settings: readSettings(io.env) }),
    insecureFiles: flags["insecure-files"] === true,
    readInput: io.input,
    note: (sentence: string) => void io.err(`bt: ${plain(sentence)}\n`),
  };
  return findKey(question, io);
}

/** Without proof of another style a key goes where every server of the interface's own family takes it. */
function styleOf({ style }: FoundKey, speaking: NetworkConfig): AuthStyle {
  return style ?? settledStyle(speaking) ?? "query";
}

/** The style that BT_AUTH_STYLE or the configuration settles, for keys that no login has proven. */
function settledStyle({ io, settings }: NetworkConfig): AuthStyle | undefined {
  const style = io.env["BT_AUTH_STYLE"] || settings.auth_style || "auto";
  if (style === "auto") return undefined;
  if (Object.hasOwn(AUTH_STYLES, style)) return style as AuthStyle;
  throw usage(`BT_AUTH_STYLE is ${JSON.stringify(style)}`, `possible are auto, ${Object.keys(AUTH_STYLES).join(", ")}`);
}

function limitsOf(flags: FlagValues, settings: SettingValues) {
  const seconds = numberOf("timeout", flags, settings.timeout);
  const mebibytes = numberOf("max-size", flags, settings.max_size);
  return {
    ...(seconds === undefined ? {} : { headersMs: seconds * 1000, readMs: seconds * 1000, writeMs: seconds * 1000 }),
    ...(mebibytes === undefined ? {} : { maxBytes: mebibytes * 1024 * 1024 }),
  };
}

function numberOf(flag: string, flags: FlagValues, setting: number | undefined): number | undefined {
  const text = flagValue(flags[flag]);
  return text === undefined ? setting : wholeNumber(flag, text, flag === "retry" ? 0 : 1);
}

function traceOf(flags: FlagValues, io: Io) {
  const isDebug = flags["debug"] === true || Boolean(io.env["BT_DEBUG"]);
  if (!isDebug && flags["verbose"] !== true) return undefined;
  const level = isDebug ? ("debug" as const) : ("verbose" as const);
  return {
    level,
    write: (line: string) => void io.err(`${plain(line, { lines: true })}\n`),
    now: () => performance.now(),
  };
}
