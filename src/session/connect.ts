import { type Cache, type CacheHost, openCache } from "../config/cache.ts";
import { addressText, chooseTracker, type TrackerAddress, type TrackerChoice } from "../config/choose-tracker.ts";
import { folderToWrite } from "../config/files.ts";
import { readSettings } from "../config/settings.ts";
import { BtError, withFacts } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Secrets } from "../secret.ts";
import { type Exchange, isRead, type Request } from "../wire/exchange.ts";
import type { Connection } from "./connection.ts";
import { type FlagValues, flagValue, wholeNumber } from "./flags.ts";
import type { MirrorReading } from "./mirror/mirror.ts";
import type { connectMirrored, MirroredAccount } from "./mirror/mirrors.ts";
import { type Channel, loginAccess, type NetworkConfig, openNetwork } from "./network.ts";
import { type FactStore, openSession, type Session } from "./session.ts";

/** Chooses the tracker by command line, environment and configuration. The session opens on first use. */
export function connectSession(version: string, secrets: Secrets) {
  return async (flags: FlagValues, io: Io): Promise<Connection> => {
    const naming = { baseUrl: flagValue(flags["base-url"]), profile: flagValue(flags["profile"]) };
    const chosen = chooseTracker({ flags: naming, env: io.env, settings: readSettings(io) });
    const { place, settings } = chosen;
    const speaking =
      place.kind === "network" ? { baseUrl: place.baseUrl, settings, flags, io, version, secrets } : undefined;
    const mirror = await mirrorName(place, speaking, isOffline(flags, io));
    if (mirror !== undefined) {
      const { connectMirror } = await import("./mirror/mirror.ts");
      return connectMirror({ name: mirror, ...mirrorFlags(flags, io, { version, hide: secrets.hide }), settings }, io);
    }
    const way = lazily(() => (speaking ? openNetwork(speaking) : openEmbedded(place, io)));
    const cache = lazyCache(chosen, way.open, { ...io, hide: secrets.hide });
    const account = async (network: NetworkConfig) => accountOf(network, await way.open());
    const exchange: Exchange = async (request) => {
      try {
        return await (await way.open()).exchange(request);
      } catch (error) {
        throw speaking ? await withMirrorHint(error, { request, account: () => account(speaking) }, io) : error;
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
          if (!isEmbedded) await (await import("./memory/web-pages.ts")).notePages(session);
        },
      },
      memory: memoryOf(cache),
      refresh: flags["refresh"] === true,
      isEmbedded,
      settings,
      now: io.now,
      ticks: io.ticks,
      login,
      keySource: async () => (await way.open()).keySource,
      access: speaking && loginAccess(speaking),
      mirrored: speaking && (async (use) => openMirrored({ account: await account(speaking), settings, use }, io)),
      note: flags["verbose"] || flags["debug"] ? (sentence) => void io.err(`bt: ${sentence}\n`) : undefined,
      writing: async (heard) =>
        (await import("./journal.ts")).openWriting({
          ...{ address: addressText(place), isEmbedded, ...heard, login, io, version, secrets },
          credential: async () => (await way.open()).key,
          asMe: flags["as-me"] === true,
          isKept: flags["no-journal"] !== true,
          resendIfAbsent: flags["resend-if-absent"] === true,
          holdMs: holdMsFrom(flags),
        }),
    });
    return { session, close: way.close };
  };
}

function mirrorFlags(flags: FlagValues, io: Io, keeping: NonNullable<MirrorReading["keeping"]>) {
  return { isPartial: flags["partial"] === true, keeping: isOffline(flags, io) ? keeping : undefined };
}

/** True with `--offline`, or if BT_OFFLINE is set to anything but 0. */
function isOffline(flags: FlagValues, { env }: Io): boolean {
  return flags["offline"] === true || !["", "0"].includes(env["BT_OFFLINE"] ?? "");
}

/** Name of the mirror that is read instead of a tracker; undefined for a tracker itself. */
async function mirrorName(
  place: TrackerAddress,
  network: NetworkConfig | undefined,
  isOffline: boolean,
): Promise<string | undefined> {
  if (place.kind === "mirror") return place.name;
  if (!network || !isOffline) return undefined;
  const { mirrorFor } = await import("./mirror/mirrors.ts");
  return mirrorFor(accountOf(network, await openNetwork(network)), network.io).name;
}

function accountOf({ baseUrl }: NetworkConfig, { login, key }: Pick<Channel, "login" | "key">): MirroredAccount {
  return { baseUrl, login: key ? login : null };
}

async function openMirrored(...given: Parameters<typeof connectMirrored>): ReturnType<typeof connectMirrored> {
  return (await import("./mirror/mirrors.ts")).connectMirrored(...given);
}

type Failed = { readonly request: Request; readonly account: () => Promise<MirroredAccount> };

/** An error of the network, with a hint if a mirror has what was requested. */
async function withMirrorHint(error: unknown, { request, account }: Failed, io: Io): Promise<unknown> {
  if (!(error instanceof BtError) || error.kind !== "network" || !isRead(request)) return error;
  const { mirrorHint } = await import("./mirror/mirrors.ts");
  const hint = await mirrorHint(request, await account(), io);
  return hint === undefined ? error : withFacts(error, { hint: [error.facts.hint, hint].filter(Boolean).join("; ") });
}

function holdMsFrom(flags: FlagValues): number | undefined {
  const text = flagValue(flags["wait"]);
  return text === undefined ? undefined : wholeNumber("wait", text, 0) * 1000;
}

function lazily(open: () => Promise<Channel>): {
  readonly open: () => Promise<Channel>;
  readonly close: () => Promise<void>;
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

async function openEmbedded(place: TrackerAddress, io: Io): Promise<Channel> {
  const [{ openEmbeddedData }, { randomBytes }] = await Promise.all([import("./embedded.ts"), import("node:crypto")]);
  const surroundings = { now: io.now, random: (count: number) => randomBytes(count) };
  const needsFolder = place.kind === "local" && !place.file;
  const dataDirectory = needsFolder
    ? folderToWrite("data", io, "; or name the file: --base-url local:/path/to/file.db")
    : "";
  const { exchange, login, close } = await openEmbeddedData(addressText(place), { ...surroundings, dataDirectory }, io);
  return { exchange, login, account: "owner", close };
}
