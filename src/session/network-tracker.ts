import type { FactStore } from "../api/fact-store.ts";
import { type CacheOwner, openCache } from "../config/cache.ts";
import { variableKeyOwner } from "../config/choose-tracker.ts";
import { type FoundKey, findKey } from "../config/key.ts";
import type { Configuration, SettingValues } from "../config/settings.ts";
import { usageError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Secret, Secrets } from "../secret.ts";
import type { Network } from "../transport/network.ts";
import { plain } from "../view/text.ts";
import { AUTH_STYLES, type AuthStyle } from "../wire/auth-style.ts";
import type { Exchange } from "../wire/exchange.ts";
import { once } from "../wire/once.ts";
import { type ConnectionSettings, connectionSettings } from "./connection-settings.ts";
import type { SessionFlags } from "./flags.ts";
import { note } from "./note.ts";

/** A tracker on the network under the configured key, and the account as far as known. */
export type NetworkTracker = {
  readonly exchange: Exchange;
  readonly login?: string | undefined;
  readonly account: string; // distinguishes accounts; not secret
  readonly key?: Secret | undefined;
  readonly keySource?: string | undefined; // origin of the key, for messages
  readonly close: () => void;
};

/** Everything that a tracker on the network is opened with. */
export type NetworkConfig = {
  baseUrl: string;
  configuration: Configuration; // as the file has it
  settings: SettingValues; // those in force
  flags: SessionFlags;
  io: Io;
  version: string;
  secrets: Secrets;
  /** The configured key, looked for once: a helper is called, stdin is read and a notice is printed only then. */
  readonly key: () => Promise<FoundKey | undefined>;
};

export function networkConfig(chosen: Omit<NetworkConfig, "key">): NetworkConfig {
  return { ...chosen, key: once(() => findConfiguredKey(chosen)) };
}

/** Opens a tracker on the network with its key; the network itself, with the first request. */
export async function openNetworkTracker(config: NetworkConfig): Promise<NetworkTracker> {
  const key = await config.key();
  const style = key?.style ?? configuredStyle(config) ?? DEFAULT_STYLE;
  const credential = key && { style, key: key.key, boundTo: key.boundTo };
  const account = credential ? await accountId(credential, key?.user) : "anonymous";
  let network: Promise<Network> | undefined;
  return {
    exchange: async (request) => {
      network ??= openNetworkAs(credential, config);
      return (await network).exchange(request);
    },
    close: () =>
      void network?.then(
        ({ close }) => close(),
        () => undefined,
      ),
    account,
    login: key?.user,
    key: key?.key,
    keySource: key?.source,
  };
}

/**
 * Id of the account: its login if known, else a fingerprint of the key. Includes the style, since a server that ignores
 * a style treats the user as anonymous.
 */
async function accountId({ style, key }: StyledKey, login: string | undefined): Promise<string> {
  if (login !== undefined) return `${style} login:${login}`;
  const { createHash } = await import("node:crypto");
  const fingerprint = createHash("sha256").update(`bt account\0${key.reveal()}`).digest("hex").slice(0, 16);
  return `${style} key:${fingerprint}`;
}

/** Facts about a tracker that hold for all of its accounts. */
export function openTrackerMemory(config: NetworkConfig): FactStore {
  return openMemory(async () => ({ address: config.baseUrl, account: "all" }), config);
}

/** Facts of a tracker and account that are kept between runs. */
export function openMemory(owner: () => Promise<CacheOwner>, { io, secrets }: MemoryHost): FactStore {
  const cache = async () => openCache(await owner(), { ...io, hide: secrets.hide });
  return {
    read: async (name) => (await (await cache()).read(name))?.value,
    write: async (name, facts) => (await cache()).write(name, facts),
  };
}

type MemoryHost = { io: Io; secrets: Secrets };

/** A key or token and its authentication style. */
export type StyledKey = { readonly style: AuthStyle; readonly key: Secret };

type Credential = StyledKey & { boundTo: string };

/** Opens the network under a credential, or anonymously. */
export async function openNetworkAs(credential: Credential | undefined, config: NetworkConfig): Promise<Network> {
  const { baseUrl, settings, flags, io, version } = config;
  const connection = connectionSettings(flags, io.env, settings);
  const { openNetwork } = await import("../transport/network.ts");
  const insecure = flags.insecure === true;
  if (insecure) await note(io, `warning: the TLS certificate of ${new URL(baseUrl).host} is not verified (--insecure)`);
  return openNetwork({
    baseUrl,
    userAgent: `bt/${version}`,
    env: io.env,
    ticks: io.ticks,
    engine: io.engine,
    caFile: connection.ca_file,
    insecure,
    proxy: connection.proxy,
    limits: requestLimits(connection),
    signal: io.signal,
    halt: io.halt,
    sleep: io.sleep,
    note: (sentence) => void note(io, sentence),
    credential,
    allowHttp: flags.allowHttp === true || settings.allow_http === true,
    retries: connection.retry,
    trace: createTrace(flags, io),
    random: Math.random,
  });
}

async function findConfiguredKey(chosen: Omit<NetworkConfig, "key">): Promise<FoundKey | undefined> {
  const { baseUrl, configuration, settings, flags, io, secrets } = chosen;
  const sources = {
    baseUrl,
    keyFile: flags.apiKeyFile,
    helper: settings.auth_helper,
    variableBoundTo: variableKeyOwner(io.env, configuration),
    insecureFiles: flags.insecureFiles === true,
    readInput: io.input,
    note: (sentence: string) => void note(io, sentence),
  };
  const found = await findKey(sources, io);
  if (found) secrets.learn(found.key.reveal());
  return found;
}

/** Style of a key for which no other was proven or configured. */
const DEFAULT_STYLE: AuthStyle = "query";

/** The style that BT_AUTH_STYLE or the configuration settles, for keys that no login has proven. */
export function configuredStyle({ io, settings }: NetworkConfig): AuthStyle | undefined {
  const style = io.env["BT_AUTH_STYLE"] || settings.auth_style || "auto";
  if (style === "auto") return undefined;
  if (Object.hasOwn(AUTH_STYLES, style)) return style as AuthStyle;
  throw usageError(
    `invalid BT_AUTH_STYLE ${JSON.stringify(style)}`,
    `valid values: auto, ${Object.keys(AUTH_STYLES).join(", ")}`,
  );
}

function requestLimits({ timeout: seconds, max_size: mebibytes }: ConnectionSettings) {
  return {
    ...(seconds === undefined ? {} : { headersMs: seconds * 1000, readMs: seconds * 1000, writeMs: seconds * 1000 }),
    ...(mebibytes === undefined ? {} : { maxBytes: mebibytes * 1024 * 1024 }),
  };
}

function createTrace(flags: SessionFlags, io: Io) {
  const isDebug = flags.debug || Boolean(io.env["BT_DEBUG"]);
  if (!isDebug && !flags.verbose) return undefined;
  const level = isDebug ? ("debug" as const) : ("verbose" as const);
  return {
    level,
    write: (line: string) => void io.err(`${plain(line, { lines: true })}\n`),
    now: io.ticks,
  };
}
