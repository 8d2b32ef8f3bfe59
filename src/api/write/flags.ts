import { BtError, isNotOffered, usageError } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject, itemsIn, objectsIn } from "../../wire/json.ts";
import type { Flag } from "../../wire/resources.ts";
import { suggestNames } from "../nearest.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { GET_FLAG_TYPES, GET_MOZILLA_FLAG_TYPES } from "../operations/tracker.ts";
import { isSameLogin } from "../people.ts";
import { listUnder } from "../response/response-objects.ts";

/** A flag type available for bugs of a product; `values` are the statuses that the user may set. */
export type AvailableFlagType = {
  readonly id: number;
  readonly name: string;
  readonly values: readonly string[];
  readonly isRequesteeble: boolean;
  readonly isMultiplicable: boolean;
};

type Text = string | null | undefined;

/** Kind of object that a flag is set on. */
type FlagTarget = "bug" | "attachment";

/**
 * Validates flag changes against the flag types of a product and component: name, status, requestee.
 * Trackers that do not list flag types decide themselves.
 * @throws BtError of kind usage for a change that the tracker would refuse or ignore
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/flagtype.html
 */
export async function checkFlags(
  flags: Json | undefined,
  place: { product?: Text; component?: Text; flags?: Bug["flags"]; target?: FlagTarget | undefined },
  send: SendRequest,
): Promise<void> {
  const changes = objectsIn(flags);
  if (changes.length === 0 || !place.product || !place.component) return;
  const { product, component, target } = place;
  const types = await readFlagTypes({ product, component, target }, send);
  for (const change of changes) if (types) checkFlag(change, types, place.flags ?? []);
}

/** Active flag types of a product and component; undefined if the tracker does not list them. */
async function readFlagTypes(
  { product, component, target = "bug" }: { product: string; component: string; target?: FlagTarget | undefined },
  send: SendRequest,
): Promise<AvailableFlagType[] | undefined> {
  for (const operation of FLAG_TYPE_READS) {
    try {
      const types = objectsIn(listUnder(await send(requestFor(operation, { product, component })), target));
      return types.filter((type) => type["is_active"] !== false).map(readType);
    } catch (error) {
      if (!isNotOffered(error)) throw error;
    }
  }
  return undefined;
}

/** Reads of flag types, of which a tracker has one at most. */
export const FLAG_TYPE_READS = [GET_FLAG_TYPES, GET_MOZILLA_FLAG_TYPES];

function readType({ id, name, values, is_requesteeble, is_multiplicable }: JsonObject): AvailableFlagType {
  return {
    id: Number(id),
    name: String(name),
    values: itemsIn(values).map(String),
    isRequesteeble: is_requesteeble !== false,
    isMultiplicable: is_multiplicable !== false,
  };
}

function checkFlag(change: JsonObject, types: AvailableFlagType[], flags: readonly Flag[]): void {
  const { id, name, type_id } = change;
  if (id !== undefined) return;
  const meant = types.filter((type) => type.id === type_id || type.name === name);
  const isSet = flags.some((flag) => flag.name === name || flag.type_id === type_id);
  if (meant.length === 0) {
    if (isSet) return;
    const word = String(name ?? `type ${type_id}`);
    const names = [...new Set(types.map((type) => type.name))];
    throw usageError(`unknown flag "${word}"`, suggestNames(word, names) ?? "this product and component have no flags");
  }
  checkFlagStatus(change, meant);
}

/** @throws BtError of kind usage for a status that the user may not set, or a wrong requestee */
function checkFlagStatus({ status, requestee }: JsonObject, meant: AvailableFlagType[]): void {
  const name = meant[0]?.name;
  const values = meant.flatMap((one) => one.values);
  if (values.length > 0 && !values.includes(String(status)))
    throw usageError(
      `you may not set ${name}${status}`,
      `valid values: ${values.map((value) => `${name}${value}`).join(", ")}`,
    );
  if (requestee !== undefined && !meant.some(({ isRequesteeble }) => isRequesteeble))
    throw usageError(`${name} does not take a requestee`, `--flag '${name}?'`);
}

/**
 * The flag changes of an update. For a single bug or attachment, changes by name get the id of the one set flag that
 * they refer to; for several, the tracker resolves the names.
 * @throws BtError of kind usage if several set flags have the name, with the ways to choose one
 */
export function targetFlags(things: readonly Flagged[], flags: Json[], target: FlagTarget = "bug"): Json {
  const [only, second] = things;
  return flags.map((change) => {
    if (!isObject(change) || change["new"] || change["id"] !== undefined) return change;
    if (only && !second) return flagOn(only, change, `${target} ${only.id}`);
    if (change["status"] !== "X" || change["requestee"] === undefined) return change;
    throw usageError(`a request to one user can only be cleared on one ${target} at a time`);
  });
}

/** A bug or an attachment. */
type Flagged = { id: number; flags?: readonly Flag[] | null };

function flagOn(thing: Flagged, change: JsonObject, label: string): JsonObject {
  const { name, type_id, ...rest } = change;
  const { status, requestee } = change;
  const set = (thing.flags ?? []).filter((flag) => isFlagOf(flag, change));
  const meant = matchingFlags(set, change);
  const [only] = meant;
  if (status === "X" && requestee !== undefined && !only) {
    const others = set.flatMap((flag) => flag.requestee ?? []);
    throw usageError(
      `${label} has no ${name ?? `flag of type ${type_id}`} requested from ${requestee}`,
      others.length > 0 ? `requested from: ${others.join(", ")}` : undefined,
    );
  }
  if (set.length > 1 && !only && requestee !== undefined) return { ...change, new: true };
  if (meant.length > 1) throw ambiguousFlagError(label, meant, String(status));
  if (!only || (requestee !== undefined && !isSameLogin(only.requestee, String(requestee)))) return change;
  if (status === "?" && only.status === "?" && only.requestee && requestee === undefined)
    throw usageError(
      `${only.name} is requested from ${only.requestee} on ${label}`,
      `for another user: --flag '${only.name}?(LOGIN)'`,
    );
  return { id: only.id, ...rest };
}

/** True for the flag that an edit names by its id, name or type. */
export function isFlagOf(flag: object, { id, name, type_id }: JsonObject): boolean {
  const { id: own, name: called, type_id: type } = flag as JsonObject;
  if (id !== undefined) return own === id;
  return name === undefined ? type === type_id : called === name;
}

/** A flag as in changes: `review?(ada@example.org)`. */
export function flagChangeText(name: string, flag: object): string {
  const { status, requestee } = flag as JsonObject;
  return `${name}${status ?? ""}${requestee ? `(${requestee})` : ""}`;
}

/** Of the set flags of a name: those with the same requestee, or the request that is answered. */
function matchingFlags(set: Flag[], { status, requestee }: JsonObject): Flag[] {
  const isClearing = status === "X";
  if (isClearing && requestee !== undefined)
    return set.filter((flag) => isSameLogin(flag.requestee, String(requestee)));
  if (set.length < 2 || isClearing) return set;
  if (status === "?") return set.filter((flag) => flag.requestee === requestee);
  const waiting = set.filter((flag) => flag.status === "?");
  return waiting.length === 1 ? waiting : set;
}

function ambiguousFlagError(label: string, flags: Flag[], wanted: string): BtError {
  const [first] = flags;
  return new BtError("usage", `${label} has ${flags.length} flags named ${first?.name}`, {
    details: flags.map((flag) => `#${flag.id}  ${flagChangeText(flag.name, flag)} by ${flag.setter}`),
    hint: `choose one by id: --flag '#${first?.id}${wanted}'`,
  });
}

export function flagsRequestedFrom(login: string, name: string, flags: Bug["flags"]): Flag[] {
  return flagsWaitingFor(login, name, flags).filter(({ requestee }) => requestee);
}

/** Flag requests of a name to the user, or to nobody in particular. */
export function flagsWaitingFor(login: string, name: string, flags: Bug["flags"]): Flag[] {
  const open = (flags ?? []).filter((flag) => flag.name === name && flag.status === "?");
  return open.filter(({ requestee }) => !requestee || isSameLogin(requestee, login));
}

/**
 * Parses a flag: `review?`, `review+`, `review-`, `reviewX` (clears it), `needinfo?(ada@example.org)`;
 * `needinfoX(ada@example.org)` clears that user's; `+review?` sets another one; `#12+` is the set flag with id 12,
 * `type:4?` the type 4.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#update-bug
 */
export function readFlagChange(text: string): JsonObject {
  const [match, further, word = "", status = "", requestee] = FLAG.exec(text.trim()) ?? [];
  if (match === undefined) {
    const [name = "review"] = /^[^\s,?+#():-]+/.exec(text.trim()) ?? [];
    const hint = `use ${name}?, ${name}+, ${name}-, ${name}X to clear it, or ${name}?(LOGIN)`;
    throw usageError(`${JSON.stringify(text)} is not a flag`, hint);
  }
  if (requestee !== undefined && status !== "?" && status !== "X")
    throw usageError(`${text}: only a request (?) takes a requestee`, `${word}X(${requestee}) clears that request`);
  const [, mark, number] = /^(#|type:)(\d+)$/.exec(word) ?? [];
  return {
    ...(mark === undefined ? { name: word } : { [mark === "#" ? "id" : "type_id"]: Number(number) }),
    status,
    ...(requestee !== undefined && { requestee }),
    ...(further && { new: true }),
  };
}

const FLAG = /^(\+)?(#[1-9]\d*|type:[1-9]\d*|[^\s,?+#()]+?)([?+X-])(?:\(([^()\s]+)\))?$/u;
