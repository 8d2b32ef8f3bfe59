import { createServerFacts, type ServerFacts } from "../api/facts.ts";
import type { SendRequest } from "../api/operations/operation.ts";
import { readResponse } from "../api/response/response.ts";
import { type CacheOwner, openCache } from "../config/cache.ts";
import { variableKeyOwner } from "../config/choose-tracker.ts";
import { type FoundKey, findKey } from "../config/key.ts";
import { type Configuration, connectionSettings, type SettingValues } from "../config/settings.ts";
import type { Io } from "../io.ts";
import type { Redactor } from "../secret.ts";
import type { Credential } from "../transport/authenticate.ts";
import type { Network } from "../transport/network.ts";
import { plain } from "../view/text.ts";
import { type AuthStyle, type Exchange, pagesAddress } from "../wire/exchange.ts";
import { once } from "../wire/once.ts";
import { type Account, accountId, IDENTITY, identifyKey, ignoredKeyError } from "./account.ts";
import type { SessionFlags } from "./flags.ts";
import { note } from "./note.ts";

/** Everything that a tracker on the network is opened with. */
export type NetworkConfig = {
  readonly baseUrl: string;
  readonly configuration: Configuration; // as the file has it
  readonly settings: SettingValues; // those in force
  readonly flags: SessionFlags;
  readonly isOffline: boolean; // nothing is sent
  readonly io: Io;
  readonly version: string;
  readonly secrets: Pick<Redactor, "learn">;
};

/** A tracker on the network under the key of the command. */
export type NetworkTracker = ReturnType<typeof networkTracker>;

/** Opens a tracker on the network; the key is looked for and the network opened with the first request. */
export function networkTracker(config: NetworkConfig) {
  const { baseUrl, settings, secrets, io } = config;
  const facts = createServerFacts(io.ticks);
  const { exchangeAs, close } = exchanges(config, facts);
  let found: FoundKey | undefined;
  const newKeyReader = () =>
    once(async () => {
      found = await findConfiguredKey(config);
      return found;
    });
  let readKey = newKeyReader();
  const key = () => readKey();
  const owner = once(async (): Promise<CacheOwner> => ({ address: baseUrl, account: await accountId(await key()) }));
  const memory = openCache(owner, io);
  const sendAs = (credential?: Credential): SendRequest => {
    if (credential) secrets.learn(credential.key.reveal());
    const exchange = exchangeAs(credential);
    return async (request) => readResponse(await exchange(request), request);
  };
  const identify = async (how: "once a day" | "anew"): Promise<Account> => {
    const own = await key();
    if (own === undefined) return { state: "anonymous" };
    const sendIn = (style: AuthStyle) => sendAs({ style, key: own.key });
    const fixedStyle = own.style ?? configuredStyle(config);
    return identifyKey({ found: own, fixedStyle, how, baseUrl, login: settings.login }, sendIn, memory);
  };
  let current: Promise<Account> | undefined;
  let ownExchange: Exchange | undefined; // under the key and style of the account
  const setAccount = (identified: Promise<Account>) => {
    current = identified;
    ownExchange = undefined;
    identified.catch(() => {
      current = undefined; // another request may succeed
    });
    return identified;
  };
  /** The account. @throws BtError of kind guard if the tracker ignores the key */
  const account = async () => {
    const identified = await (current ?? setAccount(identify("once a day")));
    if (identified.state === "ignored") throw ignoredKeyError(identified, baseUrl, configuredStyle(config));
    return identified;
  };
  const exchange: Exchange = async (request) => {
    const { style } = await account();
    const own = await key();
    ownExchange ??= exchangeAs(own && style && { style, key: own.key });
    return ownExchange(request);
  };
  return {
    exchange,
    /** Source of the key, once it was looked for; undefined without a key. */
    keySource: () => found?.source,
    /** Has the next request look for the key anew, which may have been renewed meanwhile. */
    forgetKey: () => {
      readKey = newKeyReader();
      current = undefined;
    },
    account,
    /** The account, read from the tracker again. */
    proveAccount: () => setAccount(identify("anew")),
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
  const opened: Network[] = [];
  const exchangeAs = (credential?: Credential): Exchange => {
    const network = once(async () => {
      await warn();
      const own = await openNetworkAs(credential, config);
      opened.push(own);
      return own;
    });
    return facts.observing(async (request) => (await network()).exchange(request));
  };
  const close = async () => {
    for (const network of opened) network.close();
  };
  return { exchangeAs, close };
}

/** The style that BT_AUTH_STYLE or the configuration settles, for keys that no login has proven. */
function configuredStyle({ io, settings }: NetworkConfig): AuthStyle | undefined {
  const { auth_style: style = "auto" } = connectionSettings(io.env, settings);
  return style === "auto" ? undefined : (style as AuthStyle);
}

async function findConfiguredKey(config: NetworkConfig): Promise<FoundKey | undefined> {
  const { baseUrl, configuration, settings, flags, isOffline, io, secrets } = config;
  const question = {
    baseUrl,
    keyFile: flags.apiKeyFile,
    helper: settings.auth_helper,
    variableOwner: variableKeyOwner(io.env, configuration),
    isOffline,
    insecureFiles: flags.insecureFiles === true,
    readInput: io.input,
  };
  const found = await findKey(question, io);
  if (found) secrets.learn(found.key.reveal());
  return found;
}

/** Opens the network under a credential, or anonymously. */
async function openNetworkAs(credential: Credential | undefined, config: NetworkConfig): Promise<Network> {
  const { baseUrl, settings, flags, io, version } = config;
  const { timeout, max_size, ca_file, proxy, retry } = connectionSettings(io.env, settings);
  const { openNetwork } = await import("../transport/network.ts");
  return openNetwork({
    baseUrl,
    userAgent: `bt/${version}`,
    env: io.env,
    ticks: io.ticks,
    engine: io.engine,
    caFile: ca_file,
    insecure: flags.insecure === true,
    proxy,
    timeoutMs: timeout && timeout * 1000,
    maxBytes: max_size && max_size * 1024 * 1024,
    signal: io.signal,
    halt: io.halt,
    sleep: io.sleep,
    note: (sentence) => void note(io, sentence),
    credential,
    allowHttp: flags.allowHttp === true || settings.allow_http === true,
    retries: retry,
    trace: createTrace(flags, io),
    random: Math.random,
  });
}

function createTrace(flags: SessionFlags, io: Io) {
  const verbosity = io.env["BT_DEBUG"] ? 2 : (flags.verbose ?? 0);
  if (verbosity === 0) return undefined;
  return {
    level: verbosity > 1 ? ("debug" as const) : ("verbose" as const),
    write: (line: string) => void io.err(`${plain(line, { lines: true })}\n`),
  };
}
