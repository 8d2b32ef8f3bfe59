import { buildCatalog, type Catalog, readTrackerFields } from "../api/catalog/catalog.ts";
import type { DeliveredWrite, Journal } from "../api/delivery/outcome.ts";
import { EMPTY_STORE, type FactStore } from "../api/facts.ts";
import type { SendRequest } from "../api/operations/operation.ts";
import { readResponse } from "../api/response/response.ts";
import { probeDialect, readDialect, type TrackerDialect } from "../api/search/dialect.ts";
import { createSearches, listReads, type Searches } from "../api/search/searches.ts";
import type { SettingValues } from "../config/settings.ts";
import { BtError, isKind, LOG_IN } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Exchange } from "../wire/exchange.ts";
import { once } from "../wire/once.ts";
import type { NetworkTracker } from "./network-tracker.ts";
import { note } from "./note.ts";

/** The tracker of a command; nothing is opened or read before the first use. */
export type Session = {
  /** `https://bugs.example.org/bugzilla`, `local:` or `demo:`. */
  readonly address: string;
  /** Effective settings of the tracker's profile; names as in `bt config`. */
  readonly settings: SettingValues;
  readonly exchange: Exchange;
  /**
   * Sends a request and returns the JSON of its response.
   * @throws BtError for an error response
   */
  readonly send: SendRequest;
  /** Own login: the account's, else the one in the settings; undefined if neither is known. */
  readonly login: () => Promise<string | undefined>;
  /** The fields, read once; "reloaded" reads again what came from the cache. */
  readonly catalog: (how?: "reloaded") => Promise<Catalog>;
  readonly searches: Searches;
  readonly dialect: () => Promise<TrackerDialect>;
  /** Each write is sent at most once, journaled, and verified if the response is lost. */
  readonly journal: () => Promise<Journal>;
  /** The writes that this command has delivered. */
  readonly delivered: DeliveredWrite[];
  /** Facts of the account that last between runs: recent, read and triaged bugs. */
  readonly memory: FactStore;
  /** Address of its pages for people; undefined if it has none, as far as its responses said. */
  readonly webAddress: () => string | undefined;
  readonly isMirror: boolean; // it is read instead of the tracker
  readonly network?: NetworkTracker | undefined; // undefined: the tracker runs in this process, or is a mirror
  /** Closes what the session opened, after the error of a command that failed. */
  readonly close: (failure?: unknown) => Promise<void>;
};

/** What a session is built from. */
type SessionParts = Pick<Session, "address" | "settings" | "login" | "memory"> &
  Partial<Pick<Session, "searches" | "webAddress" | "isMirror" | "network" | "close">> & {
    readonly io: Io;
    readonly exchange: Exchange;
    readonly shared?: FactStore; // of all accounts of the tracker
    readonly refresh?: boolean | undefined;
    readonly openJournal: (session: Session) => Promise<Journal>; // called for the first write
  };

/** Opens a session. */
export function openSession({ openJournal, shared, refresh = false, ...parts }: SessionParts): Session {
  const { io, login, network } = parts;
  const exchange: Exchange = async (request) => {
    const sent = request.file ? (await import("../transport/file-data.ts")).withFileInBody(request) : request;
    return parts.exchange(sent);
  };
  const sendAlone: SendRequest = async (request) => readResponse(await exchange(request), request);
  const probe = network ? () => probeDialect(sendAlone) : async () => "bugzilla" as const;
  const trackerTime = network?.time ?? (() => undefined);
  let reading: Promise<TrackerDialect> | undefined;
  const dialect = () => {
    reading ??= readDialect(probe, shared ?? EMPTY_STORE, io.now, trackerTime, refresh);
    reading.catch(() => (reading = undefined)); // a later call tries again
    return reading;
  };
  const searches = parts.searches ?? createSearches({ send: sendAlone, dialect, login });
  const send: SendRequest = Object.assign(sendAlone, { lists: listReads(dialect, searches) });
  const session: Session = {
    webAddress: () => undefined,
    isMirror: false,
    close: async () => undefined,
    ...parts,
    exchange,
    send,
    catalog: catalogReader({ send, refresh, ...parts }),
    searches,
    dialect,
    delivered: [],
    journal: once(() => openJournal(session)),
  };
  return session;
}

type FieldSource = Pick<Session, "memory" | "send" | "network"> & { readonly refresh: boolean; readonly io: Io };

/** Field metadata of the network is cached between runs. */
function catalogReader({ memory, send, network, refresh, io }: FieldSource): Session["catalog"] {
  let loaded: Promise<{ catalog: Catalog; isCached: boolean }> | undefined;
  const load = async (isFresh: boolean) => {
    const { fields, isCached } = await readTrackerFields(send, network && memory, isFresh);
    if (fields.length === 0 && network) void note(io, UNCHECKED);
    return { catalog: buildCatalog(fields), isCached };
  };
  return async (how) => {
    loaded ??= load(refresh);
    if (how === "reloaded" && (await loaded).isCached) loaded = load(true);
    return (await loaded).catalog;
  };
}

const UNCHECKED = "the tracker does not list its fields: names and values are sent unchecked";

/**
 * Uses the catalog; if it is cached and rejects a name (by an error of kind usage, or by a result that is a problem), uses a
 * reloaded one instead.
 */
export async function withCatalog<Result>(
  session: Session,
  use: (catalog: Catalog) => Result | Promise<Result>,
  isProblem: (result: Result) => boolean = () => false,
): Promise<Result> {
  const known = await session.catalog();
  try {
    const result = await use(known);
    if (!isProblem(result) || (await session.catalog("reloaded")) === known) return result;
  } catch (error) {
    if (!isKind(error, "usage") || (await session.catalog("reloaded")) === known) throw error;
  }
  return use(await session.catalog());
}

/** Hint for a login that is neither stored with the key nor reported by the tracker. */
export const LOGIN_HINT = `${LOG_IN}; without a key: bt config set login LOGIN`;

/** Own login. @throws BtError of kind auth without a key, or if the tracker does not report its user */
export async function loginOrFail({ login, address }: Session): Promise<string> {
  const known = await login();
  if (known !== undefined) return known;
  throw new BtError("auth", `your login on ${address} is unknown`, { hint: LOGIN_HINT, changed: "nothing" });
}
