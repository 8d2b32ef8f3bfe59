import { createServerFacts, type FactStore, type ServerFacts } from "../api/facts.ts";
import { checkClaim, type Identity, proveKey } from "../api/identity.ts";
import type { SendRequest } from "../api/operations/operation.ts";
import { readResponse } from "../api/response/response.ts";
import { openCache } from "../config/cache.ts";
import { type FoundKey, findKey, type KeyQuestion } from "../config/keys.ts";
import type { SettingValues } from "../config/settings.ts";
import { BtError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Redactor } from "../secret.ts";
import type { Credential } from "../transport/authenticate.ts";
import type { Network, Trace } from "../transport/network.ts";
import { plain } from "../view/text.ts";
import { type AuthStyle, type Exchange, keyStyles, pagesAddress } from "../wire/exchange.ts";
import { once } from "../wire/once.ts";
import { DAY_MS } from "../wire/time.ts";
import type { SessionFlags } from "./flags.ts";
import { note } from "./note.ts";

/** Everything that a tracker on the network is opened with. */
type NetworkConfig = KeyQuestion & {
  readonly flags: SessionFlags;
  readonly io: Io;
  readonly version: string;
  readonly secrets: Pick<Redactor, "learn">;
};

/** Whom the tracker takes a command for. */
type Account = {
  readonly state: "anonymous" | Identity["state"]; // anonymous: there is no key
  readonly login?: string | undefined; // as stored with the key, or as the tracker reports it
  readonly style?: AuthStyle | undefined;
  readonly source?: string | undefined; // of the key
};

/** A tracker on the network under the key of the command. */
export type NetworkTracker = ReturnType<typeof networkTracker>;

/** Opens a tracker on the network; the key is looked for and the network opened with the first request. */
export function networkTracker(config: NetworkConfig) {
  const { baseUrl, settings, secrets, io } = config;
  const facts = createServerFacts(io.ticks);
  const { exchangeAs, close } = exchanges(config, facts);
  const sendAs = (credential?: Credential): SendRequest => {
    if (credential) secrets.learn(credential.key.reveal());
    return async (request) => readResponse(await exchangeAs(credential)(request), request);
  };
  let found: FoundKey | undefined;
  const key = once(async () => {
    found = await findKey(config, io);
    if (found) secrets.learn(found.key.reveal());
    return found;
  });
  const memory = openCache(baseUrl, async () => accountId(await key()), io);
  let current: Promise<Account> | undefined;
  const identify = (how: "once a day" | "anew"): Promise<Account> => {
    current = key().then((own) => (own ? identifyKey(own, how, config, sendAs, memory) : { state: "anonymous" }));
    current.catch(() => {
      current = undefined; // another request may succeed
    });
    return current;
  };
  /** The account. @throws BtError of kind guard if the tracker ignores the key */
  const account = async () => {
    const identified = await (current ?? identify("once a day"));
    if (identified.state === "ignored") throw ignoredKeyError(identified, baseUrl, settings);
    return identified;
  };
  const exchange: Exchange = async (request) => {
    const { style } = await account();
    const own = await key();
    return exchangeAs(own && style && { style, key: own.key })(request);
  };
  return {
    exchange,
    /** Source of the key, once it was looked for; undefined without a key. */
    keySource: () => found?.source,
    account,
    login: async () => (await account()).login ?? settings.login,
    /** The account, read from the tracker again. */
    proveAccount: () => identify("anew"),
    /** The login as far as known without a request; null for an anonymous user. */
    async knownLogin(): Promise<string | null | undefined> {
      const own = await key();
      if (own === undefined) return null;
      return own.user ?? (await memory.read(IDENTITY))?.["login"]?.toString();
    },
    /** Facts that are kept for the account between runs. */
    memory,
    /** Sends requests with another credential, or anonymously. The credential is redacted from all output. */
    sendAs,
    time: facts.time,
    webAddress: () => (facts.hasWebPages() ? pagesAddress(baseUrl) : undefined),
    close,
  };
}

/** Exchanges under a credential each, or anonymous. */
function exchanges(config: NetworkConfig, facts: ServerFacts) {
  const { baseUrl, flags, io } = config;
  const warn = once(async () => {
    const unverified = `the TLS certificate of ${new URL(baseUrl).host} is not verified (--insecure)`;
    if (flags.insecure) await note(io, `warning: ${unverified}`);
  });
  const networks = new Map<string, Promise<Network>>();
  const exchangeAs = (credential?: Credential): Exchange => {
    const name = credential ? `${credential.style} ${credential.key.reveal()}` : "";
    return facts.observing(async (request) => {
      await warn();
      const network = networks.get(name) ?? openNetworkAs(credential, config);
      networks.set(name, network);
      return (await network).exchange(request);
    });
  };
  const close = async () => {
    for (const network of networks.values()) (await network.catch(() => undefined))?.close();
  };
  return { exchangeAs, close };
}

/** Opens the network under a credential, or anonymously. */
async function openNetworkAs(credential: Credential | undefined, config: NetworkConfig): Promise<Network> {
  const { baseUrl, settings, flags, io, version } = config;
  const { openNetwork } = await import("../transport/network.ts");
  return openNetwork({
    ...{ io, baseUrl, settings, credential },
    userAgent: `bt/${version}`,
    insecure: flags.insecure,
    allowHttp: flags.allowHttp || settings.allow_http,
    note: (sentence) => void note(io, sentence),
    trace: createTrace(flags, io),
    random: Math.random,
  });
}

function createTrace({ verbose = 0 }: SessionFlags, io: Io): Trace | undefined {
  const verbosity = io.env["BT_DEBUG"] ? 2 : verbose;
  const write = (line: string) => void io.err(`${plain(line, "lines")}\n`);
  return verbosity === 0 ? undefined : { write, isFull: verbosity > 1 };
}

/** Id of an account for what is kept between runs: its stored login, else a fingerprint of the key. */
async function accountId(found: FoundKey | undefined): Promise<string> {
  if (found === undefined) return "anonymous";
  if (found.user !== undefined) return `login:${found.user}`;
  const { createHash } = await import("node:crypto");
  return `key:${createHash("sha256").update(`bt account\0${found.key.reveal()}`).digest("hex").slice(0, 16)}`;
}

/**
 * The account of a key. A key that no login has proven is proven once a day.
 * @throws BtError of kind auth if the tracker rejects the key, or if it is not of the configured login
 */
async function identifyKey(
  { key, user, style, source }: FoundKey,
  how: "once a day" | "anew",
  { baseUrl, settings }: NetworkConfig,
  sendAs: (credential: Credential) => SendRequest,
  memory: FactStore,
): Promise<Account> {
  if (user !== undefined) checkClaim(user, settings.login);
  if (user !== undefined && style && how === "once a day") return { state: "logged in", login: user, style, source };
  const fixed = style ?? configuredStyle(settings);
  const styles = fixed ? [fixed] : keyStyles(baseUrl);
  const claim = user ?? settings.login;
  const known = how === "anew" ? undefined : await readIdentity(memory, styles, claim);
  const identity = known ?? (await proveKey((one) => sendAs({ style: one, key }), styles, claim));
  if (!known && identity.state !== "ignored")
    await memory.write(IDENTITY, { ...identity, login: identity.login ?? null, claim: claim ?? null });
  return { ...identity, login: identity.login ?? user, source };
}

/** The style that BT_AUTH_STYLE or the configuration settles, for keys that no login has proven. */
function configuredStyle({ auth_style: style = "auto" }: SettingValues): AuthStyle | undefined {
  return style === "auto" ? undefined : (style as AuthStyle);
}

/** Name of the fact whose key it is, and how the tracker takes it. */
const IDENTITY = "identity";

/** The identity that was proven by these styles and this claim within the last day. */
async function readIdentity(
  memory: FactStore,
  styles: readonly AuthStyle[],
  claim: string | undefined,
): Promise<Identity | undefined> {
  const { state, style, login, claim: checked } = (await memory.read(IDENTITY, DAY_MS)) ?? {};
  const known = styles.find((one) => one === style);
  if (known === undefined || checked !== (claim ?? null)) return undefined;
  return { state: state === "logged in" ? "logged in" : "unknown", style: known, login: login?.toString() };
}

/** Error in place of a request that would be anonymous. */
function ignoredKeyError({ style, source }: Account, baseUrl: string, settings: SettingValues): BtError {
  const way = style === configuredStyle(settings) ? ` sent as ${style}` : "";
  return new BtError("guard", `${baseUrl} ignores the API key from ${source}${way}`, {
    hint: way ? "BT_AUTH_STYLE=auto finds how the tracker takes it" : "is it a key of this tracker? bt auth status",
  });
}
