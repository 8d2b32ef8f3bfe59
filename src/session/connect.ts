import type { FactStore } from "../api/fact-store.ts";
import { type Cache, type CacheHost, openCache } from "../config/cache.ts";
import { addressText, chooseTracker, type TrackerAddress, type TrackerChoice } from "../config/choose-tracker.ts";
import { folderToWrite } from "../config/files.ts";
import { readSettings } from "../config/settings.ts";
import { BtError, withFacts } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Secrets } from "../secret.ts";
import { type Exchange, isRead } from "../wire/exchange.ts";
import type {
  ChosenMirror,
  Connection,
  ConnectionNeeds,
  MirrorChoice,
  MirroredAccount,
  Mirrors,
} from "./connection.ts";
import type { OpenWriter } from "./delivery.ts";
import { keptLogin } from "./memory/own-login.ts";
import { notePages } from "./memory/web-pages.ts";
import { type Channel, loginAccess, memoryOfTracker, type NetworkConfig, openNetwork } from "./network.ts";
import { openSession, type Session } from "./session.ts";
import { printedZone, type SessionFlags } from "./session-flags.ts";

/** Features of the folders above that a session uses. */
export type Features = {
  readonly mirrors: () => Promise<Mirrors>;
  readonly openWriter: () => Promise<OpenWriter>; // for writes that are journaled
};

/**
 * Chooses the tracker by command line, environment and configuration, or a mirror of it. The session opens on first use.
 * @throws BtError of kind usage if a mirror is chosen where only the tracker itself will do
 */
export function connectSession(version: string, secrets: Secrets, features: Features) {
  return async (flags: SessionFlags, io: Io, needs: ConnectionNeeds = {}): Promise<Connection> => {
    const { baseUrl, profile, insecureFiles = false } = flags;
    const chosen = chooseTracker({ flags: { baseUrl, profile }, env: io.env, settings: readSettings(io) });
    const command: Command = { flags, io, version, secrets, ...features, ...needs };
    const chosenBy = mirrorChoice(chosen.place, flags, io);
    if (chosenBy === undefined) return connectTracker(chosen, command);
    const { connectMirror, notTheTracker } = await features.mirrors();
    if (needs.tracker) throw notTheTracker(chosenBy);
    const { settings } = chosen;
    const mirror = await mirrorOf(chosen, command);
    const timeZone = printedZone(flags, io, settings);
    return connectMirror({ ...mirror, insecureFiles, chosenBy, settings, timeZone }, io);
  };
}

type Command = Omit<NetworkConfig, "baseUrl" | "settings"> & Features & ConnectionNeeds;

/** Configuration of a connection to a tracker on the network; undefined for others. */
function networkOf({ place, settings }: TrackerChoice, command: Command): NetworkConfig | undefined {
  return place.kind === "network" ? { baseUrl: place.baseUrl, settings, ...command } : undefined;
}

function connectTracker(chosen: TrackerChoice, command: Command): Connection {
  const { place, settings } = chosen;
  const { flags, io, version, secrets, openWriter } = command;
  const speaking = networkOf(chosen, command);
  const way = lazily(() => (speaking ? openNetwork(speaking) : openEmbedded(place, command)));
  const cache = lazyCache(chosen, way.open, { ...io, hide: secrets.hide });
  const account = async (network: NetworkConfig) => accountOf(network, await way.open());
  const exchange: Exchange = async (request) => {
    try {
      return await (await way.open()).exchange(request);
    } catch (error) {
      throw speaking && isRead(request) ? await withMirrorHint(error, () => account(speaking), command) : error;
    }
  };
  const login = async () => (await way.open()).login;
  const isEmbedded = place.kind !== "network";
  const session: Session = openSession({
    address: addressText(place),
    exchange,
    metadata: {
      read: async () => (await cache()).read("fields"),
      write: async (value) => {
        await (await cache()).write("fields", value);
        if (!isEmbedded) await notePages(session.facts);
      },
    },
    memory: memoryOf(cache),
    ...(speaking ? { trackerMemory: memoryOfTracker(speaking) } : {}),
    refresh: flags.refresh === true,
    isEmbedded,
    settings,
    now: io.now,
    ticks: io.ticks,
    login,
    keySource: async () => (await way.open()).keySource,
    access: speaking && loginAccess(speaking),
    note: flags.verbose || flags.debug ? (sentence) => void io.err(`bt: ${sentence}\n`) : undefined,
    writing: async (channel) => {
      const open = await openWriter();
      return open({
        ...{ address: addressText(place), isEmbedded, ...channel, login, me: session.login, io, version },
        credential: async () => (await way.open()).key,
        asMe: flags.asMe === true,
      });
    },
  });
  return { session, close: way.close };
}

/** Part of a command that makes it read from a mirror; undefined for one that reads from a tracker. */
function mirrorChoice(place: TrackerAddress, flags: SessionFlags, io: Io): MirrorChoice | undefined {
  if (place.kind === "mirror") return "address";
  if (place.kind !== "network" || !isOffline(flags, io)) return undefined;
  return flags.offline ? "flag" : "variable";
}

/** True with `--offline`, or if BT_OFFLINE is set to anything but 0. */
function isOffline(flags: SessionFlags, { env }: Io): boolean {
  return flags.offline || !["", "0"].includes(env["BT_OFFLINE"] ?? "");
}

/** The mirror at an address, or of a tracker on the network with what is kept about the account. */
async function mirrorOf(chosen: TrackerChoice, command: Command): Promise<ChosenMirror & { memory?: FactStore }> {
  const network = networkOf(chosen, command);
  if (!network) {
    const { name } = chosen.place as TrackerAddress & { kind: "mirror" };
    return { name };
  }
  const { mirrorFor } = await command.mirrors();
  const channel = await openNetwork(network);
  return { ...mirrorFor(await accountOf(network, channel), network.io), memory: memoryOfAccount(network, channel) };
}

function memoryOfAccount({ baseUrl, io, secrets }: NetworkConfig, { account }: Channel): FactStore {
  const cache = openCache({ address: baseUrl, account }, { ...io, hide: secrets.hide });
  return memoryOf(async () => cache);
}

/** The account of a channel; if a key has no stored login, the login that the tracker reported last. */
async function accountOf(network: NetworkConfig, channel: Channel): Promise<MirroredAccount> {
  const { baseUrl } = network;
  if (!channel.key || channel.login !== undefined) return { baseUrl, login: channel.key ? channel.login : null };
  return { baseUrl, login: await keptLogin(memoryOfAccount(network, channel)) };
}

/** An error of the network, with a hint if the account has a mirror; not after a signal, which nobody waits for. */
async function withMirrorHint(
  error: unknown,
  account: () => Promise<MirroredAccount>,
  { flags, io, mirrors }: Command,
): Promise<unknown> {
  if (!(error instanceof BtError) || error.kind !== "network") return error;
  if (io.signal.aborted) return error;
  const { mirrorHint } = await mirrors();
  const hint = mirrorHint(await account(), printedZone(flags, io, readSettings(io)), io);
  return hint === undefined ? error : withFacts(error, { hint: [error.facts.hint, hint].filter(Boolean).join("; ") });
}

function lazily(open: () => Promise<Channel>): {
  open: () => Promise<Channel>;
  close: () => Promise<void>;
} {
  let way: Promise<Channel> | undefined;
  return {
    open: () => {
      way ??= open();
      return way;
    },
    close: async () => (await way?.catch(() => undefined))?.close(),
  };
}

/** Cache of embedded trackers, which need none. */
const NO_CACHE: Cache = { read: async () => undefined, write: async () => undefined };

function lazyCache({ place }: TrackerChoice, open: () => Promise<Channel>, host: CacheHost): () => Promise<Cache> {
  let cache: Promise<Cache> | undefined;
  const make = async () =>
    place.kind === "network" ? openCache({ address: place.baseUrl, account: (await open()).account }, host) : NO_CACHE;
  return () => {
    cache ??= make();
    return cache;
  };
}

function memoryOf(cache: () => Promise<Cache>): FactStore {
  return {
    read: async (name) => (await (await cache()).read(name))?.value,
    write: async (name, facts) => (await cache()).write(name, facts),
  };
}

async function openEmbedded(place: TrackerAddress, { io, missingFile, isDryRun }: Command): Promise<Channel> {
  const { openEmbeddedData, systemRandom, turning } = await import("./embedded.ts");
  const surroundings = { now: io.now, random: systemRandom };
  const needsFolder = place.kind === "local" && !place.file;
  const dataDirectory = needsFolder
    ? folderToWrite("data", io, "; or name the file: --base-url local:/path/to/file.db")
    : "";
  const usual = missingFile ?? (needsFolder ? "create" : "refuse");
  const missing = usual === "create" && isDryRun ? "imitate" : usual;
  const options = { ...surroundings, dataDirectory, missing };
  const { exchange, login, close } = await openEmbeddedData(addressText(place), options, io);
  return { exchange: turning(exchange), login, account: "owner", close };
}
