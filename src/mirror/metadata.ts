import { momentBefore } from "../api/change-reach.ts";
import { parted } from "../api/lists.ts";
import { GET_GROUP } from "../api/operations/groups.ts";
import { requestFor, type SendRequest } from "../api/operations/operation.ts";
import {
  ENTERABLE_PRODUCTS,
  GET_FIELDS,
  GET_PRODUCTS,
  GET_USERS,
  LAST_AUDIT_TIME,
  PARAMETERS,
} from "../api/operations/tracker.ts";
import { optional } from "../api/optional.ts";
import { isObject, listUnder, unexpectedShape } from "../api/response/response-objects.ts";
import { BtError } from "../errors.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import type { MirrorFacts, MirrorStore, ReceivedMetadata } from "../wire/mirror.ts";

/** Facts about the metadata of a mirror. */
type MetadataFacts = Pick<MirrorFacts, "audit" | "checked" | "settling">;

/** Options of reading metadata; `begun` is the time by this machine's clock. */
type MetadataReading = {
  send: SendRequest;
  mirror: MirrorStore;
  begun: string;
};

/**
 * Reloads the metadata if the tracker's settings changed, and the fields once a day, since not every tracker reports
 * the time of its last change. A replica that lags behind may return bugs with old names for a while: such bugs are
 * read again later. Returns the facts about the stored metadata.
 */
export async function syncMetadata(known: MetadataFacts, reading: MetadataReading): Promise<Partial<MetadataFacts>> {
  const { send, begun, mirror } = reading;
  const audit = await lastAuditTime(send);
  const facts = { audit, checked: begun.slice(0, 10) };
  const isSettled = known.settling !== null && begun >= known.settling.until;
  const isChanged = known.checked === null || audit !== known.audit;
  const isSure = isChanged || isSettled;
  if (!isSure && known.checked === facts.checked) return {};
  const fields = objects(listUnder(await send(requestFor(GET_FIELDS)), "fields"));
  if (!isSure && mirror.hasFields(fields)) return facts;
  const named = await readNames(mirror.usersWithoutId(), send);
  const users = [...(await readUsers(mirror.userIds(), send)), ...named.users];
  mirror.keepMetadata({ ...(await readMetadata(send)), fields, users });
  mirror.markStaleOf(named.gone);
  if (isSettled && known.settling) mirror.markStale(known.settling);
  return { ...facts, settling: isChanged ? settlingFrom(known, begun) : null };
}

/** The time in which bugs may be received with old names; none for a first sync, after which all is read. */
function settlingFrom({ checked, settling }: MetadataFacts, begun: string): MirrorFacts["settling"] {
  if (checked === null) return null;
  const isOver = settling === null || begun >= settling.until;
  return { from: isOver ? begun : settling.from, until: momentBefore(begun, -SETTLING_MS) };
}

/** A replica is not expected to lag behind for longer. */
const SETTLING_MS = 70 * 60_000;

async function lastAuditTime(send: SendRequest): Promise<string | null> {
  const response = await optional(requestFor(LAST_AUDIT_TIME), send);
  return isObject(response) ? String(response["last_audit_time"]) : null;
}

async function readMetadata(send: SendRequest): Promise<Omit<ReceivedMetadata, "fields">> {
  const products = objects(listUnder(await send(requestFor(GET_PRODUCTS, { type: "accessible" })), "products"));
  const enterable = await answerIfAllowed(requestFor(ENTERABLE_PRODUCTS), send);
  const groups = await answerIfAllowed(requestFor(GET_GROUP), send);
  const parameters = await answerIfAllowed(requestFor(PARAMETERS), send);
  return {
    products,
    ...(enterable ? { enterable: [enterable["ids"] ?? []].flat().map(Number) } : {}),
    ...(groups ? { groups: objects(groups["groups"]) } : {}),
    ...(isObject(parameters?.["parameters"]) ? { parameters: parameters["parameters"] } : {}),
  };
}

/** Number of users whose names are read by one request. */
const USERS_PER_REQUEST = 500;

/** The names of users with known ids, since people are renamed; none if the tracker refuses one of them. */
async function readUsers(ids: readonly number[], send: SendRequest): Promise<JsonObject[]> {
  const users: JsonObject[] = [];
  for (const some of parted(ids, USERS_PER_REQUEST)) {
    const response = await answerIfAllowed(
      requestFor(GET_USERS, { ids: some, include_fields: "id,name,real_name" }),
      send,
    );
    users.push(...objects(response?.["users"]));
  }
  return users;
}

type NamedUsers = { users: JsonObject[]; readonly gone: readonly string[] };

/** Users by login, and the logins that nobody has any longer: a request fails for one of these. */
async function readNames(logins: readonly string[], send: SendRequest): Promise<NamedUsers> {
  if (logins.length === 0) return { users: [], gone: [] };
  if (logins.length <= NAMES_PER_REQUEST) {
    const response = await answerIfAllowed(
      requestFor(GET_USERS, { names: logins, include_fields: "id,name,real_name" }),
      send,
    );
    if (response) return { users: objects(response["users"]), gone: [] };
    if (logins.length === 1) return { users: [], gone: logins };
  }
  const middle = Math.ceil(logins.length / 2);
  const [first, second] = [await readNames(logins.slice(0, middle), send), await readNames(logins.slice(middle), send)];
  return { users: [...first.users, ...second.users], gone: [...first.gone, ...second.gone] };
}

const NAMES_PER_REQUEST = 100;

async function answerIfAllowed(
  request: Parameters<SendRequest>[0],
  send: SendRequest,
): Promise<JsonObject | undefined> {
  try {
    const response = await send(request);
    return isObject(response) ? response : undefined;
  } catch (error) {
    if (error instanceof BtError && ["auth", "missing", "refused", "reply"].includes(error.kind)) return undefined;
    throw error;
  }
}

/** @throws BtError of kind reply if an object, or a part of it, has an id that is not a whole number, by which nothing can be stored */
function objects(value: Json | undefined): JsonObject[] {
  const all = Array.isArray(value) ? (value as Json[]).filter(isObject) : [];
  if (!all.every(hasWholeIds)) throw unexpectedShape("whole numbers as ids");
  return all;
}

function hasWholeIds(value: Json): boolean {
  if (Array.isArray(value)) return value.every(hasWholeIds);
  if (!isObject(value)) return true;
  return Object.entries(value).every(([name, part]) => (name === "id" ? isWhole(part) : hasWholeIds(part)));
}

function isWhole(id: Json): boolean {
  return id === null || (/^\d+$/.test(String(id)) && Number.isSafeInteger(Number(id)));
}
