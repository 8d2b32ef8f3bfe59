import type { Journal } from "../api/delivery/outcome.ts";
import type { FactStore } from "../api/facts.ts";
import { openCache } from "../config/cache.ts";
import { chooseTracker } from "../config/choose-tracker.ts";
import { type Configuration, readSettings, type SettingValues } from "../config/settings.ts";
import { usageError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Redactor } from "../secret.ts";
import { isRead } from "../wire/exchange.ts";
import type { ConnectedSession, MirrorChoice, Mirrors, SessionNeeds } from "./connected-session.ts";
import type { EmbeddedTracker } from "./embedded.ts";
import { printedMinute, type SessionFlags } from "./flags.ts";
import { type NetworkConfig, networkTracker } from "./network-tracker.ts";
import { note } from "./note.ts";
import { openSession, type WriteAccess } from "./session.ts";

/** The program around a session, and the features of the folders above that it uses. */
export type Program = {
  version: string;
  secrets: Pick<Redactor, "learn">;
  mirrors: () => Promise<Mirrors>;
  jobs: () => Promise<Jobs>;
};

/** The journal of writes, and the removal of a tracker's jobs. */
type Jobs = {
  openJournal: (parts: JournalParts) => Journal;
  forgetJobs: (address: string, io: Io) => void;
};

/** A session for its journal, with the process. */
export type JournalParts = WriteAccess & { io: Io; version: string };

/**
 * Chooses the tracker by command line, environment and configuration, or a mirror of it. The session opens on first use.
 * @throws BtError of kind usage if a mirror is chosen where only the tracker itself will do
 */
export async function connectSession(
  flags: SessionFlags,
  io: Io,
  program: Program,
  needs: SessionNeeds = {},
): Promise<ConnectedSession> {
  const configuration = readSettings(io);
  const { place, settings } = chooseTracker({ flags, env: io.env, settings: configuration });
  const command: Command = { configuration, flags, io, ...program, ...needs };
  if (place.kind === "embedded") return connectEmbedded(place.address, settings, command);
  if (place.kind === "mirror") return connectToMirror(place, "address", settings, command);
  const isOffline = flags.offline || !["", "0"].includes(io.env["BT_OFFLINE"] ?? "");
  const network = { baseUrl: place.baseUrl, settings, isOffline, ...command };
  if (isOffline) return connectToMirror(network, flags.offline ? "flag" : "variable", settings, command);
  return connectNetwork(network, command);
}

type Command = Program &
  SessionNeeds & {
    configuration: Configuration;
    flags: SessionFlags;
    io: Io;
  };

function connectEmbedded(address: string, settings: SettingValues, command: Command): ConnectedSession {
  const { flags, io, isDryRun, jobs, missingFile = address === "local:" ? "create" : "refuse" } = command;
  const missing = missingFile === "create" && isDryRun ? "imitate" : missingFile;
  if (flags.offline) void note(io, `${address} is on this machine: --offline reads and changes it directly`);
  const forgetJobs = async (tracker: string) => (await jobs()).forgetJobs(tracker, io);
  let opened: Promise<EmbeddedTracker> | undefined;
  const open = () => {
    opened ??= import("./embedded.ts").then(({ openEmbedded }) => openEmbedded(address, { missing, forgetJobs }, io));
    return opened;
  };
  const session = openSession({
    address,
    exchange: async (request) => {
      const tracker = await open();
      await new Promise((resolve) => setImmediate(resolve)); // frees the engine's results, which a long series would add up
      const response = await tracker.exchange(request);
      if (!isRead(request) && response.status < 300) await tracker.noteChange();
      return response;
    },
    memory: openCache(async () => ({ address, account: (await open()).login ?? "" }), io),
    isInProcess: true,
    settings,
    io,
    account: async () => ({ state: "logged in", login: (await open()).login }),
    openJournal: async (access) => (await command.jobs()).openJournal({ ...access, ...command }),
  });
  return { session, close: async () => (await opened?.catch(() => undefined))?.close() };
}

function connectNetwork(network: NetworkConfig, command: Command): ConnectedSession {
  const { baseUrl, settings, flags, io } = network;
  const tracker = networkTracker(network);
  const memory = openCache(tracker.owner, io);
  const session = openSession({
    address: baseUrl,
    exchange: tracker.exchange,
    metadata: memory,
    memory,
    trackerMemory: openCache(async () => ({ address: baseUrl, account: "all" }), io), // of all accounts
    refresh: flags.refresh,
    isInProcess: false,
    settings,
    io,
    account: tracker.account,
    access: tracker,
    openJournal: async (access) => (await command.jobs()).openJournal({ ...access, ...command }),
  });
  return { session, close: async () => tracker.close() };
}

/** Reads from a mirror: by its name, or the one of a tracker, with the facts that are stored about the account there. */
async function connectToMirror(
  source: { readonly name: string } | NetworkConfig,
  chosenBy: MirrorChoice,
  settings: SettingValues,
  command: Command,
): Promise<ConnectedSession> {
  const { flags, io } = command;
  const { insecureFiles } = flags;
  const { connectMirror, findMirrorFor, notTheTrackerError } = await command.mirrors();
  if (command.tracker) throw notTheTrackerError(chosenBy);
  if (flags.refresh) throw usageError("--refresh cannot be used with a mirror", "bt mirror sync updates mirrors");
  let mirror: { readonly name: string; readonly memory?: FactStore };
  if ("name" in source) mirror = source;
  else {
    const { knownLogin, owner } = networkTracker(source);
    const name = findMirrorFor({ baseUrl: source.baseUrl, login: await knownLogin() }, io);
    mirror = { name, memory: openCache(owner, io) };
  }
  return connectMirror({ ...mirror, insecureFiles, chosenBy, settings, minuteOf: printedMinute(io, settings) }, io);
}
