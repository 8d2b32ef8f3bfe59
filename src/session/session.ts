import { buildCatalog, type Catalog, readCachedFields, readTrackerFields } from "../api/catalog/catalog.ts";
import type { DeliveredWrite, Journal } from "../api/delivery/outcome.ts";
import { createServerFacts, EMPTY_STORE, type FactStore, type ServerFacts } from "../api/facts.ts";
import { withKeySource } from "../api/identity.ts";
import type { SendRequest } from "../api/operations/operation.ts";
import { type ResponseReader, readResponse } from "../api/response/response.ts";
import { askDialect, type Dialect, type TrackerDialect, trackerDialect } from "../api/search/dialect.ts";
import { createSearches, listReads, type Searches } from "../api/search/searches.ts";
import type { SettingValues } from "../config/settings.ts";
import { BtError, isKind, LOG_IN, usageError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Exchange, Request } from "../wire/exchange.ts";
import type { Field } from "../wire/resources.ts";
import type { Account } from "./account.ts";
import type { NetworkTracker } from "./network-tracker.ts";
import { note } from "./note.ts";

/** The tracker of a command; nothing is opened or read before the first use. */
export type Session = {
  /** `https://bugs.example.org/bugzilla`, `local:` or `demo:`. */
  readonly address: string;
  /** Effective settings of the tracker's profile; names as in `bt config`. */
  readonly settings: SettingValues;
  /**
   * Sends a request and returns the JSON of its response.
   * @throws BtError for an error response
   */
  readonly send: SendRequest;
  /** Whom the tracker takes the command for. */
  readonly account: () => Promise<Account>;
  /** Own login: the account's, else the one in the settings; undefined if neither is known. */
  readonly login: () => Promise<string | undefined>;
  readonly metadata: MetadataReads;
  readonly searches: Searches;
  readonly facts: TrackerFacts;
  readonly writes: Writes;
  readonly raw: RawRequests;
};

/** A tracker on the network, for `bt auth`. */
export type LoginAccess = Pick<NetworkTracker, "key" | "forgetKey" | "proveAccount" | "sendAs" | "hasWebPages">;

/** The fields of bugs, from the cache while fresh. */
export type MetadataReads = {
  /** As the tracker returned them. */
  readonly fields: () => Promise<readonly Field[]>;
  readonly catalog: () => Promise<Catalog>;
  /** Reloaded catalog, for a name that the cached one lacks; undefined if it was fresh already. */
  readonly freshCatalog: () => Promise<Catalog | undefined>;
  /** Catalog from the cache alone, whatever its age, or from an embedded tracker; for completion. */
  readonly cachedCatalog: () => Promise<Catalog | undefined>;
};

/** Facts about a tracker. */
export type TrackerFacts = {
  /** Which searches it knows. */
  readonly dialect: TrackerDialect;
  readonly isInProcess: boolean; // the embedded tracker or a mirror: it needs neither network nor login, and groups bugs
  readonly zone: string; // IANA zone in which it reads times without one, as set
  /** Address of its pages for people; undefined if it has none, as far as its responses said. */
  readonly webAddress: () => string | undefined;
  /** What is remembered of the account between runs: bugs that it was shown, has read and has triaged. */
  readonly memory: FactStore;
};

/** Writes: each is sent at most once, journaled, and verified if the response is lost. */
export type Writes = {
  readonly journal: () => Promise<Journal>;
  /** The writes that the journal has delivered. */
  readonly applied: () => Promise<readonly DeliveredWrite[]>;
  /** Error for writes to a mirror, which is read instead of the tracker. */
  readonly refusal?: (() => BtError) | undefined;
};

/** Requests whose responses are looked at as they are. */
export type RawRequests = {
  readonly exchange: Exchange;
  /** Makes JSON or an error of a response. */
  readonly read: ResponseReader;
  /** Description of the last request, for errors about the shape of a response. */
  readonly lastRequest: () => string | undefined;
  /** Access under any credential, for `bt auth`; undefined for embedded trackers, which need none. */
  readonly access: LoginAccess | undefined;
};

/** Everything a session is built from. */
export type SessionParts = {
  address: string;
  lacksPages?: boolean; // known to have no pages for people
  writeRefusal?: () => BtError; // for a mirror
  exchange: Exchange;
  searches?: Searches; // of a mirror; default: those of the exchange
  metadata?: FactStore; // of the fields; absent: they are not kept between runs
  memory: FactStore; // of the account
  trackerMemory?: FactStore; // shared by all accounts of the tracker
  refresh?: boolean | undefined;
  isInProcess: boolean; // the embedded tracker or a mirror: requests cost nothing
  settings: SettingValues;
  io: Io;
  account: () => Promise<Account>;
  access?: LoginAccess | undefined;
  openJournal: (access: WriteAccess) => Promise<Journal>; // called on the first write
};

/** A session for its journal. */
export type WriteAccess = Pick<Session, "address" | "login"> &
  Pick<RawRequests, "exchange" | "read"> &
  Pick<TrackerFacts, "isInProcess"> & {
    readonly serverFacts: ServerFacts;
    readonly dialect: () => Promise<Dialect>;
  };

/** Opens a session. Metadata is read once, when first needed. */
export function openSession(parts: SessionParts): Session {
  const { address, settings, memory, isInProcess, refresh = false, io } = parts;
  const serverFacts = createServerFacts(io.ticks);
  const mayHavePages = /^https?:/.test(address) && !parts.lacksPages;
  let lastRequest: Request | undefined;
  const exchange: Exchange = async (request) => {
    lastRequest = request;
    const sent = request.file ? (await import("../transport/file-data.ts")).withFileInBody(request) : request;
    const response = await parts.exchange(sent);
    serverFacts.observe(response);
    return response;
  };
  const read: ResponseReader = async (response, request, isOwnForm) => {
    try {
      return readResponse(response, request, isOwnForm);
    } catch (error) {
      throw withKeySource(error, (await parts.account()).source);
    }
  };
  const sendAlone: SendRequest = async (request) => read(await exchange(request), request);
  const probe = isInProcess ? async () => "bugzilla" as const : () => askDialect(sendAlone);
  const clocks = { now: io.now, refresh, trackerTime: isInProcess ? () => undefined : serverFacts.time };
  const dialect = trackerDialect(probe, (isInProcess ? undefined : parts.trackerMemory) ?? EMPTY_STORE, clocks);
  const login = async () => (await parts.account()).login ?? (isInProcess ? undefined : settings.login);
  const searches = parts.searches ?? createSearches({ send: sendAlone, dialect, login });
  const send: SendRequest = Object.assign(sendAlone, { lists: listReads(dialect, searches) });
  const orSafe = () => dialect.name().catch(() => "bugzilla" as const); // an odd error is looked into
  const access = { address, isInProcess, login, exchange, read, serverFacts, dialect: orSafe };
  let opened: Promise<Journal> | undefined;
  const journal = () => {
    opened ??= parts.openJournal(access);
    return opened;
  };
  return {
    address,
    settings,
    send,
    account: parts.account,
    login,
    metadata: fieldMetadata(parts, send),
    searches,
    facts: {
      dialect,
      isInProcess,
      zone: settings.server_zone ?? "UTC",
      webAddress: () => (mayHavePages && serverFacts.hasWebPages() ? address : undefined),
      memory,
    },
    writes: {
      journal,
      refusal: parts.writeRefusal,
      applied: async () => (await opened?.catch(() => undefined))?.delivered ?? [],
    },
    raw: {
      exchange,
      read,
      lastRequest: () => lastRequest && `${lastRequest.method} ${lastRequest.path}`,
      access: parts.access,
    },
  };
}

/** Field metadata: requested once, cached between runs, and reloaded if the cached one may be outdated. */
function fieldMetadata({ metadata, refresh = false, isInProcess, io }: SessionParts, send: SendRequest): MetadataReads {
  let loaded: Promise<{ fields: Field[]; isCached: boolean; catalog: Catalog }> | undefined;
  const load = (how: "once" | "again") => {
    if (loaded !== undefined && how === "once") return loaded;
    loaded = readTrackerFields(send, metadata, refresh || how === "again").then(({ fields, isCached }) => {
      if (fields.length === 0 && !isInProcess) void note(io, UNCHECKED);
      return { fields, isCached, catalog: buildCatalog(fields) };
    });
    return loaded;
  };
  return {
    fields: async () => (await load("once")).fields,
    catalog: async () => (await load("once")).catalog,
    cachedCatalog: async () => {
      if (isInProcess) return (await load("once")).catalog;
      const cached = metadata && (await readCachedFields(metadata));
      return cached ? buildCatalog(cached) : undefined;
    },
    freshCatalog: async () => {
      const mayBeOutdated = (await loaded)?.isCached === true;
      return mayBeOutdated ? (await load("again")).catalog : undefined;
    },
  };
}

const UNCHECKED = "the tracker does not list its fields: names and values are sent unchecked";

/** Uses the catalog. If a cached catalog rejects a name, it is reloaded once before the error is thrown. */
export async function withCatalog<Result>(
  session: Session,
  use: (catalog: Catalog) => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await use(await session.metadata.catalog());
  } catch (error) {
    const fresh = isKind(error, "usage") ? await session.metadata.freshCatalog() : undefined;
    if (!fresh) throw error;
    return use(fresh);
  }
}

/** Hint for a login that is neither stored with the key nor reported by the tracker. */
export const LOGIN_HINT = `${LOG_IN}; without a key: bt config set login LOGIN`;

/**
 * The login that `@me` stands for.
 * @throws BtError of kind usage if it is unknown
 */
export function knownLogin(login: string | undefined): string {
  if (login !== undefined) return login;
  throw usageError("cannot resolve @me: your login on this tracker is unknown", LOGIN_HINT);
}

/** Own login. @throws BtError of kind auth without a key, or if the tracker does not report its user */
export async function loginOrFail({ login, account, address }: Session): Promise<string> {
  const known = await login();
  if (known !== undefined) return known;
  const isAnonymous = (await account()).state === "anonymous";
  const sentence = isAnonymous ? `not logged in to ${address}` : "your login on this tracker is unknown";
  throw new BtError("auth", sentence, { hint: LOGIN_HINT });
}
