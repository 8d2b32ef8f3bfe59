import { BtError, isNotOffered, usageError } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Flag } from "../../wire/bug-values.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject, itemsIn, objectsIn } from "../../wire/json.ts";
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

/**
 * Validates flag changes against the flag types of a product and component: name, status, requestee, and ambiguous
 * names. Trackers that do not list flag types decide themselves.
 * @throws BtError of kind usage for a change that the tracker would refuse or ignore
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/flagtype.html
 */
export async function checkFlags(
  flags: Json | undefined,
  place: { product?: Text; component?: Text; flags?: Bug["flags"]; target?: FlagTarget },
  send: SendRequest,
): Promise<void> {
  const changes = objectsIn(flags);
  if (changes.length === 0 || !place.product || !place.component) return;
  const { product, component, target = "bug" } = place;
  const types = await readFlagTypes({ product, component, target }, send);
  for (const change of changes) if (types) checkFlag(change, types, place.flags ?? []);
}

type Text = string | null | undefined;

/** Kind of object that a flag is set on. */
type FlagTarget = "bug" | "attachment";

type FlagPlace = { product: string; component: string; target: FlagTarget };

/** Active flag types of a product and component; undefined if the tracker does not list them. */
export async function readFlagTypes(
  { product, component, target }: FlagPlace,
  send: SendRequest,
): Promise<AvailableFlagType[] | undefined> {
  for (const operation of FLAG_TYPE_READS) {
    try {
      const response = await send(requestFor(operation, { product, component }));
      return objectsIn(listUnder(response, target))
        .filter((type) => type["is_active"] !== false)
        .map(readType);
    } catch (error) {
      if (!isNotOffered(error)) throw error;
    }
  }
  return undefined;
}

/** Reads of flag types, of which a tracker has one at most. */
export const FLAG_TYPE_READS = [GET_FLAG_TYPES, GET_MOZILLA_FLAG_TYPES];

function readType(type: JsonObject): AvailableFlagType {
  return {
    id: Number(type["id"]),
    name: String(type["name"]),
    values: itemsIn(type["values"]).map(String),
    isRequesteeble: type["is_requesteeble"] !== false,
    isMultiplicable: type["is_multiplicable"] !== false,
  };
}

function checkFlag(change: JsonObject, types: AvailableFlagType[], flags: readonly Flag[]): void {
  if (change["id"] !== undefined) return;
  const meant = types.filter(({ id, name }) => id === change["type_id"] || name === change["name"]);
  const [type] = meant;
  const isSet = flags.some((flag) => flag.name === change["name"] || flag.type_id === change["type_id"]);
  if (!type) {
    if (isSet) return;
    const names = [...new Set(types.map(({ name }) => name))];
    const word = change["name"] ?? `type ${String(change["type_id"])}`;
    throw usageError(
      `unknown flag "${String(word)}"`,
      suggestNames(String(word), names) ?? "this product and component have no flags",
    );
  }
  const choice = meant.map(({ id, name }) => `--flag 'type:${id}${String(change["status"])}' (${name})`);
  if (meant.length > 1 && !isSet)
    throw usageError(`${meant.length} flag types are named ${type.name}`, `choose one: ${choice.join(" or ")}`);
  checkFlagStatus(change, meant);
}

/** @throws BtError of kind usage if the user may not set this status, or the flag takes no requestee */
export function checkFlagStatus(change: JsonObject, meant: AvailableFlagType[]): void {
  const [type] = meant;
  const status = String(change["status"]);
  const values = meant.flatMap((one) => one.values);
  if (values.length > 0 && !values.includes(status)) {
    throw usageError(
      `you may not set ${type?.name}${status}`,
      `valid values: ${values.map((value) => `${type?.name}${value}`).join(", ")}`,
    );
  }
  if (change["requestee"] !== undefined && !meant.some(({ isRequesteeble }) => isRequesteeble)) {
    throw usageError(`${type?.name} does not take a requestee`, `--flag '${type?.name}?'`);
  }
}

/**
 * The flag changes of an update. For a single bug or attachment, changes by name get the id of the one set flag that
 * they refer to.
 * @throws BtError of kind usage if several set flags have the name, with the ways to choose one
 */
export function targetFlags(things: readonly Flagged[], flags: Json[], target: FlagTarget = "bug"): Json {
  const [only, second] = things;
  const aimed = (change: JsonObject) => (only && !second ? flagOn(only, change, target) : flagByName(change, target));
  return flags.map((flag) => (isObject(flag) ? aimed(flag) : flag));
}

/** A bug or an attachment. */
type Flagged = { id: number; flags?: readonly Flag[] | null };

/** A flag change for several things, or for an unknown one: the tracker resolves the name. */
function flagByName(change: JsonObject, target: FlagTarget): JsonObject {
  if (!isClearing(change)) return change;
  throw usageError(`a request to one user can only be cleared on one ${target} at a time`);
}

function isClearing({ status, requestee }: JsonObject): boolean {
  return status === "X" && requestee !== undefined;
}

function flagOn(thing: Flagged, change: JsonObject, target: FlagTarget): JsonObject {
  if (change["new"] || change["id"] !== undefined) return change;
  const name = `${target} ${thing.id}`;
  const set = (thing.flags ?? []).filter((flag) =>
    change["type_id"] === undefined ? flag.name === change["name"] : flag.type_id === change["type_id"],
  );
  if (isClearing(change)) return clearedRequest(name, set, change);
  const meant = matchingFlags(set, change);
  if (set.length > 1 && meant.length === 0 && change["requestee"] !== undefined) return { ...change, new: true };
  if (meant.length > 1) throw ambiguousFlagError(name, meant, change);
  const [only] = meant;
  if (!only || (change["requestee"] !== undefined && only.requestee !== change["requestee"])) return change;
  if (change["status"] === "?" && only.status === "?" && only.requestee && change["requestee"] === undefined)
    throw usageError(
      `${only.name} is requested from ${only.requestee} on ${name}`,
      `for another user: --flag '${only.name}?(LOGIN)'`,
    );
  const { name: _, type_id: _type, ...rest } = change;
  return { id: only.id, ...rest };
}

/** Clears the one request that waits for this user; without one, nothing is cleared. */
function clearedRequest(thing: string, set: Flag[], { name, type_id, requestee, ...rest }: JsonObject): JsonObject {
  const waiting = set.filter((flag) => isSameLogin(flag.requestee, String(requestee)));
  const [only] = waiting;
  if (waiting.length > 1) throw ambiguousFlagError(thing, waiting, rest);
  if (only) return { id: only.id, ...rest };
  const others = set.flatMap((flag) => flag.requestee ?? []);
  throw usageError(
    `${thing} has no ${String(name ?? `flag of type ${String(type_id)}`)} requested from ${String(requestee)}`,
    others.length > 0 ? `requested from: ${others.join(", ")}` : undefined,
  );
}

/** Of several set flags of a name: those with the same requestee, then the one that an answer is to. */
function matchingFlags(set: Flag[], change: JsonObject): Flag[] {
  if (set.length < 2) return set;
  const sameRequestee = set.filter((flag) => flag.requestee === change["requestee"]);
  if (change["status"] === "?") return sameRequestee;
  if (change["status"] === "X") return set;
  const waiting = set.filter((flag) => flag.status === "?");
  return waiting.length === 1 ? waiting : set;
}

function ambiguousFlagError(thing: string, flags: Flag[], { status: wanted = "X" }: JsonObject): BtError {
  const [first] = flags;
  return new BtError("usage", `${thing} has ${flags.length} flags named ${first?.name}`, {
    details: flags.map(({ id, name, status, requestee, setter }) => {
      return `#${id}  ${name}${status}${requestee ? `(${requestee})` : ""} by ${setter}`;
    }),
    hint: `choose one by id: --flag '#${first?.id}${String(wanted)}'`,
    changed: "nothing",
  });
}

/**
 * Parses a flag: `review?`, `review+`, `review-`, `reviewX` (clears it), `needinfo?(ada@example.org)`;
 * `needinfoX(ada@example.org)` clears that user's; `+review?` sets another one; `#12+` is the set flag with id 12,
 * `type:4?` the type 4.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#update-bug
 */
export function readFlagChange(text: string): JsonObject {
  const parts = FLAG.exec(text.trim());
  if (!parts) {
    const [, asked, login] = /^([^\s?:]+)[?:][(:\s]*([^\s()]+@[^\s()]+)\)?$/.exec(text) ?? [];
    const [name = "review"] = /^[^\s,?+#():-]+$/.exec(text.trim()) ?? [];
    const ask = name === "needinfo" ? "; bt bug needinfo BUG --from LOGIN asks somebody" : "";
    throw usageError(
      `${JSON.stringify(text)} is not a flag`,
      asked
        ? `did you mean ${asked}?(${login})?`
        : `use ${name}?, ${name}+, ${name}-, ${name}X to clear it, or ${name}?(LOGIN)${ask}`,
    );
  }
  const [, further, name = "", status = "", requestee] = parts;
  if (requestee !== undefined && status !== "?" && status !== "X") {
    throw usageError(`${text}: only a request (?) takes a requestee`, `${name}X(${requestee}) clears that request`);
  }
  return {
    ...parseFlagTarget(name),
    status,
    ...(requestee === undefined ? {} : { requestee }),
    ...(further ? { new: true } : {}),
  };
}

const FLAG = /^(\+)?(#[1-9]\d*|type:[1-9]\d*|[^\s,?+#()]+?)([?+X-])(?:\(([^()\s]+)\))?$/u;

function parseFlagTarget(name: string): JsonObject {
  if (name.startsWith("#")) return { id: Number(name.slice(1)) };
  if (name.startsWith("type:")) return { type_id: Number(name.slice("type:".length)) };
  return { name };
}
