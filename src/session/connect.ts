import type { Journal } from "../api/delivery/outcome.ts";
import type { FactStore } from "../api/facts.ts";
import { openCache } from "../config/cache.ts";
import { chooseTracker } from "../config/choose-tracker.ts";
import { readSettings, type SettingValues } from "../config/settings.ts";
import { usageError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Redactor } from "../secret.ts";
import { isRead } from "../wire/exchange.ts";
import type { EmbeddedTracker } from "./embedded.ts";
import type { SessionFlags } from "./flags.ts";
import { networkTracker } from "./network-tracker.ts";
import { openSession, type Session } from "./session.ts";

/** The program around a session, with the features of the folders above that it uses. */
export type Program = {
  readonly version: string;
  readonly secrets: Pick<Redactor, "learn">;
  readonly openJournal: (session: Session) => Promise<Journal>;
  readonly forgetJobs: (address: string) => Promise<void>;
  readonly connectMirror: (choice: MirrorChoice) => Promise<Session>;
};

/** Requirements of a command: the tracker itself in place of a mirror, and whether it may create a local tracker. */
export type SessionNeeds = { readonly tracker?: boolean | undefined; readonly createsTracker?: boolean | undefined };

/** A mirror to read from, by its name or its account. */
export type MirrorChoice = {
  readonly insecureFiles: boolean | undefined;
  readonly without?: string; // the change to the command that makes it reach the tracker; absent: another address
  readonly name?: string;
  readonly account?: MirroredAccount;
  readonly memory?: FactStore; // of the account, for the bugs that it has read
  readonly needsTracker: boolean; // no mirror will do
  readonly settings: SettingValues;
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
): Promise<Session> {
  const configuration = readSettings(io);
  const { place, settings } = chooseTracker(flags, io.env, configuration);
  if (place.kind === "embedded") return connectEmbedded(place.address, settings, io, program, needs);
  const isOffline = flags.offline || !["", "0"].includes(io.env["BT_OFFLINE"] ?? "");
  if (flags.refresh && (isOffline || place.kind === "mirror"))
    throw usageError("--refresh cannot be used with a mirror", "bt mirror sync updates mirrors");
  const choice = { insecureFiles: flags.insecureFiles, needsTracker: needs.tracker === true, settings };
  if (place.kind === "mirror") return program.connectMirror({ ...choice, name: place.name });
  const { baseUrl } = place;
  const network = networkTracker({ baseUrl, configuration, settings, flags, isOffline, io, ...program });
  if (!isOffline) {
    const shared = openCache(baseUrl, async () => "all", io);
    const { openJournal } = program;
    const { refresh } = flags;
    return openSession({ ...network, address: baseUrl, settings, io, shared, refresh, network, openJournal });
  }
  const account = { baseUrl, login: needs.tracker ? undefined : await network.knownLogin() };
  const without = flags.offline ? "without --offline" : "with BT_OFFLINE=0";
  return program.connectMirror({ ...choice, without, account, memory: network.memory });
}

function connectEmbedded(
  address: string,
  settings: SettingValues,
  io: Io,
  { forgetJobs, openJournal }: Program,
  { createsTracker = address === "local:" }: SessionNeeds,
): Session {
  let opened: Promise<EmbeddedTracker> | undefined;
  const open = () => {
    opened ??= import("./embedded.ts").then(({ openEmbedded }) =>
      openEmbedded(address, { isCreated: createsTracker, forgetJobs }, io),
    );
    return opened;
  };
  const login = async () => (await open()).login;
  return openSession({
    address,
    settings,
    io,
    login,
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
