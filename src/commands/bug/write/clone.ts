import { readBug } from "../../../api/bugs/bug-numbers.ts";
import { fetchComments } from "../../../api/bugs/bug-parts.ts";
import { type Catalog, findField, isSettable } from "../../../api/catalog/catalog.ts";
import { enterableProductLoader } from "../../../api/catalog/enterable-products.ts";
import { commandFlagName } from "../../../api/operations/operation.ts";
import { flagValue } from "../../../command-flag.ts";
import { BtError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import { findByCatalog } from "../../../session/session.ts";
import { type Bug, COPIED_FIELDS } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { addedName, FIELD_TYPE, isAddedField } from "../../../wire/field-types.ts";
import { readOneTarget } from "../../shared/targets.ts";
import type { Context } from "../../verb.ts";
import { fileBug } from "./file-bug.ts";
import type { NewBugInput, NewBugValues } from "./flags.ts";
import { offeredValues, valuesFromFlags, valuesOfBody } from "./new-bug.ts";

/**
 * `bt bug clone`: files a bug with the fields of another one, on which it depends. Flags override what is copied. A
 * restricted bug has a restricted clone.
 * @see enter_bug.cgi of Bugzilla, `cloned_bug_id`
 */
export async function cloneBug(input: NewBugInput, context: Context): Promise<void> {
  const given = valuesFromFlags(input);
  const bug = await readClonedBug(await readOneTarget(input.args[0] ?? "", context), context);
  const lost: string[] = [];
  const copied = {
    ...(await copiedFields(bug, context)),
    ...groupsOfClone(bug, given),
    depends_on: [bug.id, ...(bug.depends_on ?? [])],
    cc: await ccOfClone(bug, lost, context),
    ...(await readClonedDescription(bug, lost, context)),
  };
  const body = await dropUnoffered(copied, given, lost, context);
  if (lost.length > 0) await note(context.io, `not copied from bug ${bug.id}: ${lost.join(", ")}`);
  const filing = { command: "bug clone", mustApply: ["groups"] };
  await fileBug({ start: valuesOfBody(body), given }, input, context, filing);
}

/** Fields that are copied as they are; a milestone is planned for each bug. */
const COPIED = [...COPIED_FIELDS.filter((name) => name !== "target_milestone"), "blocks"];

/** Fields that decide about the others. */
const ALSO_READ = ["id", "depends_on", "cc", "creator", "groups", "is_cc_accessible", "is_creator_accessible"];

async function readClonedBug(ref: string, context: Context): Promise<Bug> {
  const { session } = context;
  const custom = (await session.metadata.catalog()).fields.filter(isSettable).map(({ api }) => api);
  return readBug(ref, [...COPIED, ...ALSO_READ, ...custom], session.send);
}

/** The values of the fields that are copied, of custom ones on the form for new bugs, and of choices that the tracker added. */
async function copiedFields(bug: Bug, { session }: Context): Promise<JsonObject> {
  const added = (await session.metadata.fields()).filter(
    (field) => isAddedField(field) && (field.is_custom ? field.is_on_bug_entry : field.type === FIELD_TYPE.select),
  );
  const pairOf = (name: string) => [name, (bug as JsonObject)[name] ?? null] as const;
  const values = [
    ...COPIED.map(pairOf),
    ...added.map((field) => pairOf(addedName(field))).filter(([, value]) => value !== UNSET),
  ];
  return Object.fromEntries(values.filter(([, value]) => value !== null && value !== 0 && String(value) !== ""));
}

const UNSET = "---"; // of a custom drop-down; a priority of this name is a value, and may not be the default one

/** @throws BtError of kind guard if the tracker does not say whether the bug is restricted */
function groupsOfClone({ id, groups }: Bug, given: NewBugValues): JsonObject {
  if (groups) return groups.length > 0 ? { groups } : {};
  if (given.groups !== undefined) return {};
  const message = `the tracker does not return the groups of bug ${id}, so the clone may be visible to more users`;
  const hint = "add --groups GROUP to restrict the clone, or --no-groups";
  throw new BtError("guard", message, { hint });
}

/** CC users and the reporter, unless the groups of the bug hide it from them. */
async function ccOfClone(bug: Bug, lost: string[], { session }: Context): Promise<string[]> {
  const isRestricted = (bug.groups ?? []).length > 0;
  const hidesCc = isRestricted && bug.is_cc_accessible === false;
  const hidesReporter = isRestricted && bug.is_creator_accessible === false;
  if (hidesCc && bug.cc?.length) lost.push("CC (these users may not see the bug)");
  const own = (await session.login())?.toLowerCase();
  const isOwn = bug.creator?.toLowerCase() === own;
  const reporter = isOwn || hidesReporter ? [] : bug.creator || [];
  return [...new Set([reporter, hidesCc ? [] : (bug.cc ?? [])].flat())];
}

/** Description with the number of the original; a private one stays private. */
async function readClonedDescription(bug: Bug, lost: string[], context: Context): Promise<JsonObject> {
  const id = bug.id;
  const origin = `Cloned from bug ${id}`;
  const first = (await fetchComments(id, context.session.send)).find(({ count }) => count === 0);
  if (first === undefined) lost.push("the description (private)");
  if (!first?.text) return { description: origin };
  return { description: `${origin}\n\n${first.text}`, ...(first.is_private ? { comment_is_private: true } : {}) };
}

/** The fields without values that a new bug cannot have, or not in the product of the clone, whose versions are its own. */
async function dropUnoffered(
  copied: JsonObject,
  given: NewBugValues,
  lost: string[],
  { session }: Context,
): Promise<JsonObject> {
  const product = flagValue(given.product) ?? String(copied["product"]);
  const isMoved = product.toLowerCase() !== String(copied["product"]).toLowerCase();
  const withProduct = enterableProductLoader(session.send);
  const found = await findByCatalog(session, async (known) => {
    const catalog = await withProduct(known, product);
    return Object.entries(copied).flatMap(([name, value]) => {
      const items = [value].flat();
      const dropped = isMoved && name === "version" ? items : unofferedValues(name, items, catalog, product);
      return dropped.length > 0 && given[commandFlagName(name)] === undefined ? [{ name, dropped }] : [];
    });
  });
  const kept: Record<string, Json> = { ...copied };
  for (const { name, dropped } of found) {
    lost.push(`${name} ${dropped.join(" and ")} (not offered in ${product})`);
    kept[name] = [kept[name] ?? []].flat().filter((item) => !dropped.includes(item));
  }
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => [value].flat().length > 0));
}

/** Values of a choice field that are inactive or belong to another product; none of any other field. */
function unofferedValues(name: string, values: Json[], catalog: Catalog, product: string): Json[] {
  const field = name === "product" ? undefined : findField(catalog, name);
  const offered = field && field.values.length > 0 ? offeredValues(name, catalog, product) : [];
  return offered.length > 0 ? values.filter((item) => !offered.includes(String(item))) : [];
}
