import type { Journal } from "../api/delivery/outcome.ts";
import type { FactStore } from "../api/facts.ts";
import { openCache } from "../config/cache.ts";
import { chooseTracker } from "../config/choose-tracker.ts";
import { effectiveSettings, readSettings, type SettingValues } from "../config/settings.ts";
import { usageError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Redactor } from "../secret.ts";
import { isRead } from "../wire/exchange.ts";
import type { EmbeddedTracker } from "./embedded.ts";
import type { SessionFlags } from "./flags.ts";
import { networkTracker } from "./network-tracker.ts";
import { type Connection, type JournalTracker, openConnection } from "./session.ts";

/** The program around a session, with the features of the folders above that it uses. */
export type Program = {
  readonly version: string;
  readonly secrets: Pick<Redactor, "learn">;
  readonly openJournal: (tracker: JournalTracker) => Promise<Journal>;
  readonly connectMirror: (choice: MirrorChoice) => Promise<Connection>;
};

/** Requirements of a command. */
export type SessionNeeds = {
  readonly tracker?: boolean | undefined; // in place of a mirror
  readonly writes?: boolean | undefined; // which a mirror refuses
  readonly createsTracker?: boolean | undefined; // a local one without a file
};

/** A mirror to read from, by its name or its account. */
export type MirrorChoice = {
  readonly flags: SessionFlags;
  readonly settings: SettingValues;
  readonly needs: SessionNeeds;
  readonly name?: string;
  readonly account?: MirroredAccount;
  readonly memory?: FactStore; // of the account, for the bugs that it has read
};

/** A tracker on the network and its login: null without one, undefined if it is unknown. */
export type MirroredAccount = { readonly baseUrl: string; readonly login: string | null | undefined };

/**
 * Chooses the tracker by command line, environment and configuration, or a mirror of it. The session opens on first use.
 * @throws BtError of kind usage if a mirror is chosen where only the tracker itself will do
 */
export async function connectSession(
  flags: SessionFlags,
  io: Io,
  program: Program,
  needs: SessionNeeds = {},
): Promise<Connection> {
  const configuration = readSettings(io);
  const { place, settings } = chooseTracker(flags, io.env, configuration);
  if (place.kind === "embedded") return connectEmbedded(place.address, settings, io, program, needs);
  const isOffline = flags.offline || !["", "0"].includes(io.env["BT_OFFLINE"] ?? "");
  if (flags.refresh && (isOffline || place.kind === "mirror"))
    throw usageError("--refresh cannot be used with a mirror", "bt mirror sync updates mirrors");
  if (place.kind === "mirror") return program.connectMirror({ flags, settings, needs, name: place.name });
  const { baseUrl } = place;
  const network = networkTracker({ baseUrl, configuration, settings, flags, isOffline, io, ...program });
  if (isOffline) {
    const account = { baseUrl, login: needs.tracker ? undefined : await network.knownLogin() };
    return program.connectMirror({ flags, settings, needs, account, memory: network.memory });
  }
  const shared = openCache(baseUrl, async () => "all", io);
  const { refresh } = flags;
  const { openJournal } = program;
  return openConnection({ ...network, address: baseUrl, settings, io, shared, refresh, openJournal });
}

/** A tracker in this process, which is opened with the first request. */
function connectEmbedded(
  address: string,
  settings: SettingValues,
  io: Io,
  { openJournal }: Program,
  { createsTracker = address === "local:" }: SessionNeeds,
): Connection {
  let opened: Promise<EmbeddedTracker> | undefined;
  const open = () => {
    opened ??= import("./embedded.ts").then(({ openEmbedded }) =>
      openEmbedded(address, { mayCreate: createsTracker, isKept: true }, io),
    );
    return opened;
  };
  const login = async () => (await open()).login;
  return openConnection({
    address,
    settings,
    io,
    account: async () => ({ state: "logged in", login: await login() }),
    exchange: async (request) => {
      const tracker = await open();
      await new Promise((resolve) => setImmediate(resolve)); // frees the engine's results, which a long series would add up
      const response = await tracker.exchange(request);
      if (!isRead(request) && response.status < 300) await tracker.noteChange();
      return response;
    },
    memory: openCache(address, login, io),
    openJournal,
    close: async () => (await opened?.catch(() => undefined))?.close(),
  });
}

/**
 * Where neither flags nor the environment name a tracker: the flags with the address of one, unless it is the configured
 * tracker, so that its profile applies.
 */
export function flagsForTracker(address: string, flags: SessionFlags, io: Io): SessionFlags {
  const settings = readSettings(io);
  const configured = effectiveSettings(settings, settings.profile).base_url;
  return address === configured ? flags : { ...flags, baseUrl: address };
}
