import { buildCatalog, type Catalog, readCachedFields, readTrackerFields } from "../api/catalog/catalog.ts";
import type { DeliveredWrite, Journal } from "../api/delivery/outcome.ts";
import { EMPTY_STORE, type FactStore } from "../api/facts.ts";
import type { SendRequest } from "../api/operations/operation.ts";
import { readResponse } from "../api/response/response.ts";
import { probeDialect, readDialect, type TrackerDialect } from "../api/search/dialect.ts";
import { createSearches, listReads, type Searches } from "../api/search/searches.ts";
import type { SettingValues } from "../config/settings.ts";
import { BtError, isKind, LOG_IN } from "../errors.ts";
import type { Io } from "../io.ts";
import { once } from "../wire/once.ts";
import type { Account, TrackerExchange } from "./account.ts";
import { note } from "./note.ts";

/** The tracker of a command; nothing is opened or read before the first use. */
export type Session = {
  /** `https://bugs.example.org/bugzilla`, `local:` or `demo:`. */
  readonly address: string;
  /** Effective settings of the tracker's profile; names as in `bt config`. */
  readonly settings: SettingValues;
  readonly exchange: TrackerExchange;
  /** Sends a request and returns the JSON of its response. @throws BtError for an error response */
  readonly send: SendRequest;
  /** Whom the tracker takes the command for; "anew" asks it again. */
  readonly account: (how?: "anew") => Promise<Account>;
  /** The fields, read once; "reloaded" reads cached ones again, "kept" sends nothing over the network. */
  readonly catalog: ((how?: "reloaded") => Promise<Catalog>) & ((how: "kept") => Promise<Catalog | undefined>);
  readonly searches: Searches;
  readonly dialect: () => Promise<TrackerDialect>;
  /** Each write is sent at most once, journaled, and verified if the response is lost. */
  readonly journal: () => Promise<Journal>;
  /** Facts of the account that last between runs: recent, read and triaged bugs. */
  readonly memory: FactStore;
  /** Address of its pages for people; undefined if it has none, as far as its responses said. */
  readonly webAddress: () => string | undefined;
};

/** A session, and what the command around it needs. */
export type Connection = {
  readonly session: Session;
  readonly delivered: readonly DeliveredWrite[]; // writes of this command that were applied
  readonly keySource: () => Promise<string | undefined>; // of the key, if requests were sent with it
  /** Closes what the session opened, after the error of a command that failed. */
  readonly close: (failure?: unknown) => Promise<void>;
};

/** What a journal is opened for: the tracker, and the user. */
export type JournalTracker = Pick<Session, "address" | "exchange" | "dialect"> & {
  readonly login: () => Promise<string | undefined>;
  readonly isInProcess: boolean; // no response is lost
  readonly time: () => number | undefined; // by the clock of the tracker (ms since the epoch)
  readonly delivered: DeliveredWrite[]; // takes each write that was applied
};

/** What a session and its connection are built from. */
type ConnectionParts = Pick<Session, "address" | "settings" | "exchange" | "account" | "memory"> &
  Partial<Pick<Session, "searches" | "webAddress"> & Pick<Connection, "keySource" | "close">> & {
    readonly io: Io;
    readonly time?: JournalTracker["time"]; // absent: the tracker is in this process, or a mirror
    readonly shared?: FactStore; // of all accounts of the tracker
    readonly refresh?: boolean | undefined;
    readonly openJournal: (tracker: JournalTracker) => Promise<Journal>; // called for the first write
  };

export function openConnection(parts: ConnectionParts): Connection {
  const { address, settings, account, memory, io, shared = EMPTY_STORE, refresh = false } = parts;
  const isInProcess = parts.time === undefined;
  const time = parts.time ?? (() => undefined);
  const exchange: TrackerExchange = async (request, as) => {
    const sent = request.file ? (await import("../transport/file-data.ts")).withFileInBody(request) : request;
    return parts.exchange(sent, as);
  };
  const sendRequest: SendRequest = async (request) => readResponse(await exchange(request), request);
  const probe = isInProcess ? async () => "bugzilla" as const : () => probeDialect(sendRequest);
  const dialect = once(() => readDialect(probe, shared, io.now, time, refresh));
  const login = () => ownLogin({ account });
  const searches = parts.searches ?? createSearches({ send: sendRequest, dialect, login });
  const send: SendRequest = Object.assign(sendRequest, { lists: listReads(dialect, searches) });
  const delivered: DeliveredWrite[] = [];
  const tracker = { address, exchange, dialect, login, isInProcess, time, delivered };
  const session: Session = {
    address,
    settings,
    exchange,
    send,
    account,
    searches,
    dialect,
    memory,
    catalog: catalogReader(send, isInProcess ? undefined : memory, refresh, io),
    journal: once(() => parts.openJournal(tracker)),
    webAddress: parts.webAddress ?? (() => undefined),
  };
  const { keySource = async () => undefined, close = async () => undefined } = parts;
  return { session, delivered, keySource, close };
}

/** Field metadata of the network is cached in `memory` between runs. */
function catalogReader(send: SendRequest, memory: FactStore | undefined, refresh: boolean, io: Io): Session["catalog"] {
  let loaded: Promise<{ catalog: Catalog; isCached: boolean }> | undefined;
  const load = async (isFresh: boolean) => {
    const { fields, isCached } = await readTrackerFields(send, memory, isFresh);
    if (fields.length === 0 && memory) void note(io, UNCHECKED);
    return { catalog: buildCatalog(fields), isCached };
  };
  return (async (how) => {
    if (how === "kept" && memory) {
      const fields = await readCachedFields(memory);
      return fields && buildCatalog(fields);
    }
    loaded ??= load(refresh);
    if (how === "reloaded" && (await loaded).isCached) loaded = load(true);
    return (await loaded).catalog;
  }) as Session["catalog"];
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
  const isOutdated = async () => (await session.catalog("reloaded")) !== known;
  try {
    const result = await use(known);
    if (!isProblem(result) || !(await isOutdated())) return result;
  } catch (error) {
    if (!isKind(error, "usage") || !(await isOutdated())) throw error;
  }
  return use(await session.catalog());
}

/** Hint for a login that is neither stored with the key nor reported by the tracker. */
export const LOGIN_HINT = `${LOG_IN}; without a key: bt config set login LOGIN`;

/** Own login: the account's, else the one in the settings. @throws BtError if the key is ignored or refused */
export async function ownLogin({ account }: Pick<Session, "account">): Promise<string | undefined> {
  const { login, error } = await account();
  if (error) throw error;
  return login;
}

/** Own login. @throws BtError of kind auth without a key, or if the tracker does not report its user */
export async function loginOrFail(session: Session): Promise<string> {
  const known = await ownLogin(session);
  if (known !== undefined) return known;
  throw new BtError("auth", `your login on ${session.address} is unknown`, { hint: LOGIN_HINT, changed: "nothing" });
}
