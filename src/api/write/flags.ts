import { usageError } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject, objectsIn } from "../../wire/json.ts";
import type { Flag } from "../../wire/resources.ts";
import { ifOffered } from "../facts.ts";
import { suggestNames } from "../nearest.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { GET_FLAG_TYPES, GET_MOZILLA_FLAG_TYPES } from "../operations/tracker.ts";
import { isSameLogin } from "../people.ts";

type FlagTarget = "bug" | "attachment";

/** Where flags are set; `flags` are already set. */
type FlagPlace = { readonly [Name in "product" | "component" | "flags"]?: Bug[Name] | undefined } & {
  readonly target?: FlagTarget;
};

/**
 * Checks flag changes by the flag types of a product and component, if the tracker lists them.
 * @throws BtError of kind usage for an unknown flag
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/flagtype.html
 */
export async function checkFlags(flags: Json | undefined, place: FlagPlace, send: SendRequest): Promise<void> {
  const { product, component, target = "bug" } = place;
  const changes = objectsIn(flags).filter(({ id }) => id === undefined);
  if (changes.length === 0 || !product || !component) return;
  const types = await readFlagTypes(product, component, target, send);
  const isKnown = (change: JsonObject) =>
    types?.some(({ id, name }) => id === change["type_id"] || name === change["name"]) ||
    place.flags?.some((flag) => isFlagOf(flag, change));
  const unknown = types && changes.find((change) => !isKnown(change));
  if (unknown === undefined) return;
  const word = String(unknown["name"] ?? `type ${unknown["type_id"]}`);
  const hint = suggestNames(
    word,
    (types ?? []).map(({ name }) => String(name)),
  );
  throw usageError(`unknown flag "${word}"`, hint ?? "this product and component have no flags");
}

/** Active flag types of a product and component; undefined if the tracker does not list them. */
async function readFlagTypes(product: string, component: string, target: FlagTarget, send: SendRequest) {
  // a tracker offers at most one of these operations
  for (const operation of [GET_FLAG_TYPES, GET_MOZILLA_FLAG_TYPES]) {
    const types = Object(await ifOffered(send(requestFor(operation, { product, component }))))[target];
    if (Array.isArray(types)) return objectsIn(types as Json[]).filter((type) => type["is_active"] !== false);
  }
  return undefined;
}

/**
 * Flag changes as an update sends them. The tracker finds a flag by its name, but not a request to
 * one user, which is cleared by its id instead.
 * @throws BtError of kind usage if there is no such request, if it is to be cleared on several bugs
 * or attachments, or if a request to nobody would replace one
 */
export function flagsToSend(things: readonly Flagged[], flags: Json[], target: FlagTarget = "bug"): Json {
  return flags.map((change) => {
    if (!isObject(change) || change["new"] || change["id"] !== undefined) return change;
    const { requestee, status } = change;
    if (status === "?" && requestee === undefined) checkReplaced(things, change);
    return status === "X" && requestee !== undefined ? clearedRequest(things, change, target) : change;
  });
}

/** @throws BtError of kind usage if a request to nobody would replace a request to a user */
function checkReplaced(things: readonly Flagged[], change: JsonObject): void {
  const set = things.flatMap(({ flags }) => flags ?? []);
  const taken = set.find((flag) => isFlagOf(flag, change) && flag.status === "?" && flag.requestee);
  if (taken)
    throw usageError(`this would replace ${flagChangeText(taken.name, taken)}`, `+${taken.name}? adds another request`);
}

/** The change, by id, that clears a request to one user. */
function clearedRequest([only, second]: readonly Flagged[], change: JsonObject, target: FlagTarget): JsonObject {
  if (!only || second) throw usageError(`a request to one user can only be cleared on one ${target} at a time`);
  const { requestee } = change;
  const set = (only.flags ?? []).filter((flag) => isFlagOf(flag, change));
  const own = set.find((flag) => isSameLogin(flag.requestee, String(requestee)));
  if (own) return { id: own.id, status: "X" };
  const name = flagChangeText(String(change["name"] ?? "such flag"), { requestee });
  const others = set.flatMap((flag) => flag.requestee ?? []).join(", ");
  const hint = others === "" ? undefined : `requested from: ${others}`;
  throw usageError(`${target} ${only.id} has no request ${name}`, hint);
}

/** A bug or an attachment. */
type Flagged = { readonly id: number; readonly flags?: readonly Flag[] | null };

/** True for the flag that an edit names by its id, name or type. */
export function isFlagOf(flag: object, { id, name, type_id }: JsonObject): boolean {
  const { id: own, name: called, type_id: type } = flag as JsonObject;
  if (id !== undefined) return own === id;
  return name === undefined ? type === type_id : called === name;
}

/** True for a flag with the status of an edit, and with its requestee if it names one. */
export function isFlagAs({ status, requestee }: Flag, edit: JsonObject): boolean {
  if (status !== edit["status"]) return false;
  return edit["requestee"] === undefined || isSameLogin(requestee, String(edit["requestee"]));
}

/** A flag as in changes: `review?(ada@example.org)`. */
export function flagChangeText(name: string, flag: object): string {
  const { status, requestee } = flag as JsonObject;
  return `${name}${status ?? ""}${requestee ? `(${requestee})` : ""}`;
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
    const hint = "use review?, review+, review-, reviewX to clear it, or review?(LOGIN)";
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
