import { wholeNumber } from "./api/number.ts";
import type { Connection } from "./cli/run.ts";
import { trackerOf } from "./cli/tracker.ts";
import type { Memory } from "./commands/context.ts";
import { type Input, textOf } from "./commands/verb.ts";
import { type Cache, type CacheHost, cacheOf } from "./config/cache.ts";
import { folderToWrite } from "./config/places.ts";
import { readSettings } from "./config/settings.ts";
import { type Chosen, chooseTracker, type Place } from "./config/tracker.ts";
import { accessTo, openNetwork, type Way } from "./connect-network.ts";
import type { Io } from "./io.ts";
import type { Secrets } from "./secret.ts";
import type { Exchange } from "./wire/exchange.ts";

/** Puts together what a command line, the environment and the configuration say of the tracker; opens it at the first use. */
export function connector(version: string, secrets: Secrets) {
  return async (flags: Input["flags"], io: Io): Promise<Connection> => {
    const naming = { baseUrl: textOf(flags["base-url"]), profile: textOf(flags["profile"]) };
    const chosen = chooseTracker({ flags: naming, env: io.env, settings: readSettings(io.env) });
    const { place, settings } = chosen;
    const speaking =
      place.kind === "network" ? { baseUrl: place.baseUrl, settings, flags, io, version, secrets } : undefined;
    const way = lazily(() => (speaking ? openNetwork(speaking) : openEmbedded(place, io)));
    const cache = lazyCache(chosen, way.open, { ...io, hide: secrets.hide });
    const exchange: Exchange = async (request) => (await way.open()).exchange(request);
    const login = async () => (await way.open()).login;
    const isNear = place.kind !== "network";
    const tracker = trackerOf({
      address: addressOf(place),
      exchange,
      metadata: {
        read: async () => (await cache()).read("fields"),
        write: async (value) => (await cache()).write("fields", value),
      },
      memory: memoryOf(cache),
      refresh: flags["refresh"] === true,
      isNear,
      zone: settings.server_zone,
      now: io.now,
      ticks: io.ticks,
      login,
      keySource: async () => (await way.open()).keySource,
      access: speaking && accessTo(speaking),
      note: flags["verbose"] || flags["debug"] ? (sentence) => void io.err(`bt: ${sentence}\n`) : undefined,
      writing: async (heard) =>
        (await import("./connect-writing.ts")).openWriting({
          ...{ address: addressOf(place), isNear, ...heard, login, io, version, secrets },
          credential: async () => (await way.open()).key,
          asMe: flags["as-me"] === true,
          isKept: flags["no-journal"] !== true,
          resendIfAbsent: flags["resend-if-absent"] === true,
          holdMs: holdOf(flags),
        }),
    });
    return { tracker, settings, close: way.close };
  };
}

function holdOf(flags: Input["flags"]): number | undefined {
  const text = textOf(flags["wait"]);
  return text === undefined ? undefined : wholeNumber("wait", text, 0) * 1000;
}

function addressOf(place: Place): string {
  if (place.kind === "network") return place.baseUrl;
  return place.kind === "demo" ? "demo:" : `local:${place.file ?? ""}`;
}

function lazily(open: () => Promise<Way>): { readonly open: () => Promise<Way>; readonly close: () => Promise<void> } {
  let way: Promise<Way> | undefined;
  return {
    open: () => {
      way ??= open();
      return way;
    },
    close: async () => (await way?.catch(() => undefined))?.close(),
  };
}

/** A tracker in this process tells everything at once, so nothing of it is kept. */
const NO_CACHE: Cache = { read: async () => undefined, write: async () => undefined };

function lazyCache({ place }: Chosen, open: () => Promise<Way>, host: CacheHost): () => Promise<Cache> {
  let cache: Promise<Cache> | undefined;
  const make = async () =>
    place.kind === "network" ? cacheOf({ address: place.baseUrl, account: (await open()).account }, host) : NO_CACHE;
  return () => {
    cache ??= make();
    return cache;
  };
}

function memoryOf(cache: () => Promise<Cache>): Memory {
  return {
    read: async (name) => (await (await cache()).read(name))?.value,
    write: async (name, facts) => (await cache()).write(name, facts),
  };
}

async function openEmbedded(place: Place, io: Io): Promise<Way> {
  const [{ openData }, { randomBytes }] = await Promise.all([
    import("./commands/local/open-data.ts"),
    import("node:crypto"),
  ]);
  const surroundings = { now: io.now, random: (count: number) => randomBytes(count) };
  const needsFolder = place.kind === "local" && !place.file;
  const dataDirectory = needsFolder ? folderToWrite("data", io.env) : "";
  const { exchange, login, close } = openData(addressOf(place), { ...surroundings, dataDirectory });
  return { exchange, login, account: "owner", close };
}
