import type { Bug } from "../../wire/bug.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { type Ask, get } from "../operation.ts";
import { isObject, readBugs } from "../read.ts";
import { listEdit } from "./preview.ts";

/**
 * What other bugs tell of the groups of a product: the interface has no resource for its settings. A group of any bug there
 * is allowed there; a group of all bugs is probably mandatory.
 * @see Bugzilla/Bug.pm, `_set_product`: groups that the new product lacks are removed, mandatory ones added
 */
export type ProductGroups = {
  readonly product: string;
  readonly allowed: ReadonlySet<string>;
  readonly common: readonly string[];
};

/** The groups of a product by its newest bugs, and by one bug in each of these groups that those are not in. */
export async function productGroups(product: string, groups: readonly string[], ask: Ask): Promise<ProductGroups> {
  const newest = readBugs(
    await ask(
      get("/rest/bug", [
        ["product", product],
        ["include_fields", "id,groups"],
        ["order", "bug_id DESC"],
        ["limit", SAMPLE],
      ]),
    ),
  );
  const allowed = new Set(newest.flatMap((bug) => bug.groups ?? []));
  for (const group of groups) if (!allowed.has(group) && (await hasBugIn(product, group, ask))) allowed.add(group);
  const [first, ...others] = newest.map((bug) => bug.groups ?? []);
  return { product, allowed, common: (first ?? []).filter((group) => others.every((more) => more.includes(group))) };
}

const SAMPLE = "100";

async function hasBugIn(product: string, group: string, ask: Ask): Promise<boolean> {
  const query = { product, f1: "bug_group", o1: "equals", v1: group, include_fields: "id", limit: "1" };
  return readBugs(await ask(get("/rest/bug", Object.entries(query)))).length > 0;
}

/** The groups of a bug after a move to another product, as expected; undefined where it does not move. */
export function groupsAfter(
  bug: Bug,
  body: JsonObject,
  target: ProductGroups | undefined,
): readonly string[] | undefined {
  if (target === undefined || bug.product === target.product) return undefined;
  const moved = [...(bug.groups ?? []).filter((group) => target.allowed.has(group)), ...target.common];
  return edited([...new Set(moved)], body);
}

/** Whether a move may leave a bug without groups: none of its groups is known to be allowed in the product, none is added. */
export function mayBecomePublic(bug: Bug, body: JsonObject, target: ProductGroups | undefined): boolean {
  const before = bug.groups ?? [];
  if (before.length === 0 || target === undefined || bug.product === target.product) return false;
  return (
    edited(
      before.filter((group) => target.allowed.has(group)),
      body,
    ).length === 0
  );
}

function edited(groups: readonly string[], { groups: edit }: JsonObject): readonly string[] {
  return isObject(edit) ? listEdit(groups, edit) : groups;
}
