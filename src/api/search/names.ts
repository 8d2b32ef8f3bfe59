import { usageError } from "../../errors.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { objectsIn } from "../../wire/json.ts";
import { isPersonField } from "../catalog/catalog.ts";
import { ifOffered } from "../facts.ts";
import { hasIgnoringCase, partition } from "../lists.ts";
import { checkGroups, checkLogins } from "../names.ts";
import { suggestNames } from "../nearest.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { GET_PRODUCTS } from "../operations/tracker.ts";
import { conjunctsOf, type Leaf, leavesOf, type Query } from "../query/tree.ts";

/**
 * Conditions of a query by what an unknown login, group or flag in them does: `alone` finds no bugs,
 * `mixed` (negated, or beside alternatives) finds more or fewer bugs than meant.
 */
export function leavesByUnknownName(query: Query) {
  const required: readonly Query[] = conjunctsOf(query);
  const hasOneName = (leaf: Leaf) => leaf.kind !== "test" || new Set(leaf.values.map(bareFlag)).size <= 1;
  const [alone, mixed] = partition(leavesOf(query), (leaf) => required.includes(leaf) && hasOneName(leaf));
  return { alone, mixed };
}

/** A flag without its status. */
export function bareFlag(name: string): string {
  return name.replace(/[?+-]$/, "");
}

/**
 * Checks the logins, groups and flags of conditions, since trackers ignore unknown ones.
 * @throws BtError of kind usage for a name that does not exist
 */
export async function checkNames(leaves: readonly Leaf[], send: SendRequest): Promise<void> {
  await checkLogins(leaves.flatMap(loginsIn), send);
  const groups = leaves.flatMap((leaf) => equalValues(leaf, "groups"));
  await checkGroups(groups, send);
  await checkFlags(leaves.flatMap(flagsIn), send);
}

export function loginsIn(leaf: Leaf): readonly string[] {
  if (leaf.kind === "flag") return [leaf.requestee ?? [], leaf.setter ?? []].flat();
  const isPersonal = isPersonField(leaf.field);
  if (leaf.kind === "change") return [leaf.by ?? [], isPersonal ? [leaf.from ?? [], leaf.to ?? []] : []].flat(2);
  return isPersonal && leaf.op === "=" ? leaf.values : [];
}

/** The flags in a condition, without their statuses. */
export function flagsIn(leaf: Leaf): readonly string[] {
  return (leaf.kind === "flag" ? [leaf.name] : equalValues(leaf, "flags")).map(bareFlag);
}

function equalValues(leaf: Leaf, api: string): readonly string[] {
  return leaf.kind === "test" && leaf.op === "=" && leaf.field.api === api ? leaf.values : [];
}

/** Checks flags against the flag types in visible products, if the tracker lists any. */
async function checkFlags(flags: readonly string[], send: SendRequest): Promise<void> {
  if (flags.length === 0) return;
  const request = requestFor(GET_PRODUCTS, { type: "accessible", include_fields: "components.flag_types" });
  const { products } = Object(await ifOffered(send(request)));
  const components = objectsIn(products).flatMap((product) => objectsIn(product["components"]));
  const lists = components.flatMap(({ flag_types: types }) => Object.values(Object(types) as JsonObject)); // of bugs, attachments
  const known = lists.flatMap(objectsIn).flatMap(({ name }) => (typeof name === "string" ? name : []));
  const unknown = known.length > 0 ? flags.find((name) => !hasIgnoringCase(known, name)) : undefined;
  if (unknown !== undefined) throw usageError(`unknown flag "${unknown}"`, suggestNames(unknown, known));
}
