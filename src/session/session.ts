import { type Catalog, catalogOf, keptFields, type MetadataStore, trackerFields } from "../api/catalog.ts";
import { type ServerFacts, serverFacts } from "../api/delivery/server-facts.ts";
import type { Write } from "../api/delivery/write.ts";
import type { Writer } from "../api/delivery/writer.ts";
import type { SendRequest } from "../api/operations/operation.ts";
import { type ResponseReader, readResponse } from "../api/response/response.ts";
import { repeatedBugsNotice } from "../api/response/response-objects.ts";
import type { ServerZone } from "../api/server-time-zone.ts";
import { BtError, withDetails } from "../errors.ts";
import type { Secret } from "../secret.ts";
import type { AuthStyle } from "../wire/auth-style.ts";
import type { Exchange, Json, JsonObject, Reply, Request } from "../wire/exchange.ts";
import type { Field } from "../wire/resources.ts";

/** The tracker that this command talks to; nothing is opened or read before the first use. */
export type Session = {
  /** `https://bugs.example.org/bugzilla`, `local:` or `demo:`. */
  readonly address: string;
  /** Sends one request and gives the JSON of its answer; an error answer becomes a `BtError`. */
  readonly ask: (request: Request) => Promise<Json>;
  /** The last request, for an error about the shape of its answer: whoever reads an answer does not know what was asked. */
  readonly lastAsked: () => string | undefined;
  /** The one way in which a write leaves: at most once, kept in the journal, its outcome found out when the answer is lost. */
  readonly deliver: (write: Write) => Promise<Json>;
  /** The same for jobs of many requests. */
  readonly writing: () => Promise<Writer>;
  /** The raw way, for `bt api`, and the check that throws when a reply is an error. */
  readonly exchange: Exchange;
  readonly check: (reply: Reply, request: Request) => void;
  /** What the tracker says of its fields, from the cache while that is fresh: as it came, and ready for look-ups. */
  readonly fields: () => Promise<readonly Field[]>;
  readonly catalog: () => Promise<Catalog>;
  /** The same asked anew, when the cached one may be the reason for refusing a name; undefined when it already was. */
  readonly freshCatalog: () => Promise<Catalog | undefined>;
  /** The same from the cache alone, whatever its age, or from a tracker in this process; for completion. */
  readonly cachedCatalog: () => Promise<Catalog | undefined>;
  /** The requester's own login, when it is known. */
  readonly login: () => Promise<string | undefined>;
  /** The tracker under any credential, for `bt auth`; undefined for one in this process, which asks for none. */
  readonly access: LoginAccess | undefined;
  /** The zone in which the tracker reads times that carry none; found out with a few requests at the first use. */
  readonly zone: () => Promise<ServerZone>;
  /** Facts about this tracker that one run leaves for the next, such as the length of its longest page. */
  readonly memory: FactStore;
};

/** A tracker on the network as one who logs in sees it. */
export type LoginAccess = {
  /** The tracker asked with a key or token in one style, or anonymously. The credential is hidden from all output first. */
  readonly askAs: (credential?: StyledKey) => (request: Request) => Promise<Json>;
  /** The key that there is for it, by the sources in their order; what it says of itself holds for it alone. */
  readonly key: () => Promise<KnownKey | undefined>;
  /** Hides a password from all output; a key in a style is hidden anyway. */
  readonly hide: (password: Secret) => void;
};

/** A key or token and the way to show it. */
export type StyledKey = { readonly style: AuthStyle; readonly key: Secret };

/** A key with what is known of it. */
export type KnownKey = {
  readonly key: Secret;
  readonly source: string;
  readonly boundTo: string;
  readonly style?: AuthStyle | undefined; // undefined: not known yet
  readonly user?: string | undefined;
};

/** A small store of facts per tracker; reading may find nothing and writing may be lost. */
export type FactStore = {
  readonly read: (name: string) => Promise<JsonObject | undefined>;
  readonly write: (name: string, facts: JsonObject) => Promise<void>;
};

/** What a tracker is made from: how it is reached, and where what was learnt about it is kept. */
export type SessionParts = {
  readonly address: string;
  readonly exchange: Exchange;
  readonly metadata: MetadataStore;
  readonly memory: FactStore;
  readonly refresh: boolean;
  readonly isEmbedded: boolean; // in this process, so that asking costs nothing
  readonly zone?: string | undefined; // of the tracker's clock, as the configuration says
  readonly now: () => Date;
  readonly ticks: () => number; // milliseconds that pass, whatever is done to the clock
  readonly login: () => Promise<string | undefined>;
  readonly keySource?: () => Promise<string | undefined>; // where the key came from, in words
  readonly access?: LoginAccess | undefined;
  readonly note?: ((sentence: string) => void) | undefined; // hears of what is odd in an answer, when somebody wants to know
  readonly writing: (ways: WriteChannel) => Promise<Writer>; // made at the first write
};

/** How writes reach the tracker, and what its answers have told of it. */
export type WriteChannel = {
  readonly exchange: Exchange;
  readonly read: ResponseReader;
  readonly serverFacts: ServerFacts;
};

/** A tracker as verbs use it. Its metadata is read once, and only when a verb needs it. */
export function openSession(parts: SessionParts): Session {
  const { address, memory, isEmbedded, access } = parts;
  const heard = serverFacts(parts.ticks);
  let last: Request | undefined;
  const exchange: Exchange = async (request) => {
    last = request;
    const reply = await parts.exchange(request);
    heard.observe(reply);
    return reply;
  };
  const understood = async (reply: Reply, request: Request): Promise<Json> => {
    try {
      return readResponse(reply, request);
    } catch (error) {
      throw await withKeySource(error, parts);
    }
  };
  const ask: SendRequest = async (request) => {
    const answer = await understood(await exchange(request), request);
    const repeats = parts.note && repeatedBugsNotice(answer);
    if (repeats) parts.note?.(repeats);
    return answer;
  };
  let me: Promise<string | undefined> | undefined;
  let opened: Promise<Writer> | undefined;
  const writing = () => {
    opened ??= parts.writing({ exchange, read: understood, serverFacts: heard });
    return opened;
  };
  return {
    address,
    exchange,
    ask,
    writing,
    deliver: async (write) => (await writing()).deliver(write),
    memory,
    login: () => {
      me ??= ownLogin(parts, ask);
      return me;
    },
    access,
    lastAsked: () => last && `${last.method} ${last.path}`,
    check: (reply, request) => void readResponse(reply, request),
    ...knowledge(parts, ask),
    zone: async () => {
      const { serverZone, knownZone } = await import("../api/server-time-zone.ts");
      if (parts.zone !== undefined) return knownZone(parts.zone);
      return isEmbedded ? knownZone("UTC") : serverZone(ask, memory, parts.now());
    },
  };
}

/** What the tracker says of its fields: asked for once, kept between runs, and asked anew when what is kept may be old. */
function knowledge(
  { metadata, refresh, isEmbedded }: SessionParts,
  ask: SendRequest,
): Pick<Session, "fields" | "catalog" | "cachedCatalog" | "freshCatalog"> {
  const read = (fresh: boolean) => trackerFields(ask, metadata, fresh);
  let fields: ReturnType<typeof read> | undefined;
  const current = () => {
    fields ??= read(refresh);
    return fields;
  };
  const catalogs = new WeakMap<readonly Field[], Catalog>();
  const catalog = async (): Promise<Catalog> => {
    const { fields: list } = await current();
    const known = catalogs.get(list) ?? catalogOf(list);
    catalogs.set(list, known);
    return known;
  };
  return {
    fields: async () => (await current()).fields,
    catalog,
    cachedCatalog: async () => {
      if (isEmbedded) return catalog();
      const kept = await keptFields(metadata);
      return kept ? catalogOf(kept) : undefined;
    },
    freshCatalog: async () => {
      if (!(await fields)?.kept) return undefined;
      fields = read(true);
      return catalog();
    },
  };
}

/** A key from the environment or a file does not say whose it is; the tracker does. */
async function ownLogin({ login, keySource }: SessionParts, ask: SendRequest): Promise<string | undefined> {
  const known = await login();
  if (known !== undefined || (await keySource?.()) === undefined) return known;
  return (await (await import("../api/identity.ts")).whoAmI(ask)).user;
}

/** Says of an error about the key itself where that key came from. */
async function withKeySource(error: unknown, { keySource }: SessionParts): Promise<unknown> {
  if (!(error instanceof BtError) || !KEY_CODES.includes(error.facts.bugzillaCode ?? 0)) return error;
  const source = await keySource?.();
  return source === undefined ? error : withDetails(error, [`the key came from ${source}`]);
}

const KEY_CODES = [300, 301, 306]; // the key is not accepted, or its account is closed

/**
 * Uses the tracker's catalog. What a cached catalog refuses may have come to the tracker since, so the catalog is then
 * asked for anew, once, before the refusal stands.
 */
export async function withCatalog<Result>(
  tracker: Session,
  use: (catalog: Catalog) => Result | Promise<Result>,
): Promise<Result> {
  return withLazyCatalog(tracker, async (catalog) => use(await catalog()));
}

/** The same for what may do without the catalog, which is then not loaded. */
export async function withLazyCatalog<Result>(
  tracker: Session,
  use: (catalog: () => Promise<Catalog>) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(tracker.catalog);
  } catch (error) {
    const fresh = error instanceof BtError && error.kind === "usage" ? await tracker.freshCatalog() : undefined;
    if (!fresh) throw error;
    return use(async () => fresh);
  }
}
