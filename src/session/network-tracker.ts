import { createServerFacts } from "../api/facts.ts";
import { openCache } from "../config/cache.ts";
import { type FoundKey, findKey, type KeyQuestion } from "../config/keys.ts";
import type { Io } from "../io.ts";
import type { Redactor } from "../secret.ts";
import type { Credential } from "../transport/authenticate.ts";
import type { Network } from "../transport/network.ts";
import { plain } from "../view/text.ts";
import { pagesAddress, type Request, type Response } from "../wire/exchange.ts";
import { once } from "../wire/once.ts";
import { type Account, identify, knownLogin, type TrackerExchange } from "./account.ts";
import type { SessionFlags } from "./flags.ts";
import { note } from "./note.ts";

/** Everything that a tracker on the network is opened with. */
type NetworkConfig = KeyQuestion & {
  readonly flags: SessionFlags;
  readonly io: Io;
  readonly version: string;
  readonly secrets: Pick<Redactor, "learn">;
};

/** A tracker on the network; the key is looked for and the network opened with the first request. */
export function networkTracker(config: NetworkConfig) {
  const { baseUrl, settings, secrets, io } = config;
  const facts = createServerFacts(io.ticks);
  let network: Promise<Network> | undefined;
  const sendAs = async (request: Request, credential?: Credential): Promise<Response> => {
    if (credential) secrets.learn(credential.key.reveal());
    network ??= openNetwork(config);
    const response = await (await network).exchange(request, credential);
    facts.learn(response);
    return response;
  };
  const ownKey = once(async () => {
    const found = await findKey(config, io);
    if (found) secrets.learn(found.key.reveal());
    return found;
  });
  const memory = openCache(baseUrl, async () => accountId(await ownKey()), io);
  let current: Promise<Account> | undefined;
  const account = (how?: "anew"): Promise<Account> => {
    if (how === "anew") current = undefined;
    current ??= ownKey().then((key) => identify(key, { baseUrl, settings, send: sendAs, memory }, how === "anew"));
    current.catch(() => {
      current = undefined; // another request may succeed
    });
    return current;
  };
  const exchange: TrackerExchange = async (request, as) => {
    if (as) return sendAs(request, as === "nobody" ? undefined : as);
    const { error, style } = await account();
    if (error) throw error;
    const found = await ownKey();
    return sendAs(request, found && style && { style, key: found.key });
  };
  return {
    exchange,
    account,
    memory,
    knownLogin: async () => knownLogin(await ownKey(), memory),
    keySource: async () => (await current)?.source,
    time: facts.time,
    webAddress: () => (facts.hasWebPages() ? pagesAddress(baseUrl) : undefined),
    close: async () => (await network?.catch(() => undefined))?.close(),
  };
}

async function openNetwork({ baseUrl, settings, flags, io, version }: NetworkConfig): Promise<Network> {
  const unverified = `the TLS certificate of ${new URL(baseUrl).host} is not verified (--insecure)`;
  if (flags.insecure) await note(io, `warning: ${unverified}`);
  const transport = await import("../transport/network.ts");
  const verbosity = io.env["BT_DEBUG"] ? 2 : (flags.verbose ?? 0);
  const write = (line: string) => void io.err(`${plain(line, "lines")}\n`);
  return transport.openNetwork({
    io,
    baseUrl,
    settings,
    userAgent: `bt/${version}`,
    insecure: flags.insecure,
    allowHttp: flags.allowHttp || settings.allow_http,
    note: (sentence) => void note(io, sentence),
    trace: verbosity > 0 ? { write, isFull: verbosity > 1 } : undefined,
    random: Math.random,
  });
}

/** Id of an account for what is kept between runs: its stored login, else a fingerprint of the key. */
async function accountId(key: FoundKey | undefined): Promise<string> {
  if (key === undefined) return "anonymous";
  if (key.user !== undefined) return `login:${key.user}`;
  const { createHash } = await import("node:crypto");
  return `key:${createHash("sha256").update(`bt account\0${key.key.reveal()}`).digest("hex").slice(0, 16)}`;
}
