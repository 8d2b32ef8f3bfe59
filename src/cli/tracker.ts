import { type Catalog, catalogOf } from "../api/catalog.ts";
import { type Hearsay, hearsay } from "../api/delivery/clock.ts";
import type { Writing } from "../api/delivery/writing.ts";
import { keptFields, type MetadataStore, trackerFields } from "../api/metadata.ts";
import type { Ask } from "../api/operation.ts";
import { repeatsIn } from "../api/repeats.ts";
import { type Read, readReply } from "../api/reply.ts";
import type { Access, Memory, Tracker } from "../commands/context.ts";
import { BtError, withDetails } from "../errors.ts";
import type { Exchange, Json, Reply, Request } from "../wire/exchange.ts";
import type { Field } from "../wire/field.ts";

/** What a tracker is made from: how it is reached, and where what was learnt about it is kept. */
export type TrackerParts = {
  readonly address: string;
  readonly exchange: Exchange;
  readonly metadata: MetadataStore;
  readonly memory: Memory;
  readonly refresh: boolean;
  readonly isNear: boolean; // in this process, so that asking costs nothing
  readonly zone?: string | undefined; // of the tracker's clock, as the configuration says
  readonly now: () => Date;
  readonly ticks: () => number; // milliseconds that pass, whatever is done to the clock
  readonly login: () => Promise<string | undefined>;
  readonly keySource?: () => Promise<string | undefined>; // where the key came from, in words
  readonly access?: Access | undefined;
  readonly note?: ((sentence: string) => void) | undefined; // hears of what is odd in an answer, when somebody wants to know
  readonly writing: (ways: Ways) => Promise<Writing>; // made at the first write
};

/** How writes reach the tracker, and what its answers have told of it. */
export type Ways = { readonly exchange: Exchange; readonly read: Read; readonly hearsay: Hearsay };

/** A tracker as verbs use it. Its metadata is read once, and only when a verb needs it. */
export function trackerOf(parts: TrackerParts): Tracker {
  const { address, memory, isNear, access } = parts;
  const heard = hearsay(parts.ticks);
  let last: Request | undefined;
  const exchange: Exchange = async (request) => {
    last = request;
    const reply = await parts.exchange(request);
    heard.hear(reply);
    return reply;
  };
  const understood = async (reply: Reply, request: Request): Promise<Json> => {
    try {
      return readReply(reply, request);
    } catch (error) {
      throw await withKeySource(error, parts);
    }
  };
  const ask: Ask = async (request) => {
    const answer = await understood(await exchange(request), request);
    const repeats = parts.note && repeatsIn(answer);
    if (repeats) parts.note?.(repeats);
    return answer;
  };
  let me: Promise<string | undefined> | undefined;
  let opened: Promise<Writing> | undefined;
  const writing = () => {
    opened ??= parts.writing({ exchange, read: understood, hearsay: heard });
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
    check: (reply, request) => void readReply(reply, request),
    ...knowledge(parts, ask),
    zone: async () => {
      const { serverZone, knownZone } = await import("../api/server-zone.ts");
      if (parts.zone !== undefined) return knownZone(parts.zone);
      return isNear ? knownZone("UTC") : serverZone(ask, memory, parts.now());
    },
  };
}

/** What the tracker says of its fields: asked for once, kept between runs, and asked anew when what is kept may be old. */
function knowledge(
  { metadata, refresh, isNear }: TrackerParts,
  ask: Ask,
): Pick<Tracker, "fields" | "catalog" | "cachedCatalog" | "freshCatalog"> {
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
      if (isNear) return catalog();
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
async function ownLogin({ login, keySource }: TrackerParts, ask: Ask): Promise<string | undefined> {
  const known = await login();
  if (known !== undefined || (await keySource?.()) === undefined) return known;
  return (await (await import("../api/identity.ts")).whoAmI(ask)).user;
}

/** Says of an error about the key itself where that key came from. */
async function withKeySource(error: unknown, { keySource }: TrackerParts): Promise<unknown> {
  if (!(error instanceof BtError) || !KEY_CODES.includes(error.facts.bugzillaCode ?? 0)) return error;
  const source = await keySource?.();
  return source === undefined ? error : withDetails(error, [`the key came from ${source}`]);
}

const KEY_CODES = [300, 301, 306]; // the key is not accepted, or its account is closed
