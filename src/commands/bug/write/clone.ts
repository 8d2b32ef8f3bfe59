import { readBug } from "../../../api/bugs/bug-numbers.ts";
import { fetchComments } from "../../../api/bugs/bug-parts.ts";
import { type Catalog, findField, isSettable } from "../../../api/catalog/catalog.ts";
import { enterableProductLoader } from "../../../api/catalog/enterable-products.ts";
import { commandFlagName } from "../../../api/operations/operation.ts";
import { requestBody } from "../../../api/write/update-request.ts";
import { flagValue } from "../../../command-flag.ts";
import { BtError } from "../../../errors.ts";
import { createdBug, type JobWrite } from "../../../jobs/job.ts";
import { newestJobs } from "../../../jobs/job-files.ts";
import { note } from "../../../session/note.ts";
import { findByCatalog } from "../../../session/session.ts";
import { addedName, isAddedField } from "../../../wire/added-fields.ts";
import { type Bug, COPIED_FIELDS } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { FIELD_TYPE } from "../../../wire/field-types.ts";
import { itemsIn } from "../../../wire/json.ts";
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
    ...copiedFields(bug),
    ...(await copiedCustomFields(bug, context)),
    ...groupsOfClone(bug, given),
    depends_on: [bug.id, ...(bug.depends_on ?? [])],
    cc: await ccOfClone(bug, lost, context),
    ...(await readClonedDescription(bug, lost, context)),
  };
  const body = await dropUnoffered(copied, given, lost, context);
  const earlier = earlierClone(bug.id, context);
  if (earlier !== undefined) await note(context.io, `bug ${bug.id} was cloned before, as bug ${earlier}`);
  if (lost.length > 0) await note(context.io, `not copied from bug ${bug.id}: ${lost.join(", ")}`);
  const filing = { command: "bug clone", mustApply: ["groups"] };
  await fileBug({ start: valuesOfBody(body), given }, input, context, filing);
}

/** The first clone of a bug that the journal has. */
function earlierClone(bug: number, { io, session }: Context): number | undefined {
  const clones: number[] = [];
  for (const { job } of newestJobs(io)) {
    if (job?.head.command !== "bug clone" || job.head.tracker !== session.address) continue;
    const isOf = ({ request }: JobWrite) => itemsIn(requestBody(request)["depends_on"])[0] === bug;
    clones.push(...job.writes.filter(isOf).flatMap((write) => createdBug(write) ?? []));
  }
  return clones.at(-1);
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

function copiedFields(bug: Bug): JsonObject {
  return fieldsWithValues(COPIED.map((name) => [name, (bug as JsonObject)[name] ?? null]));
}

/** Custom fields of the form for new bugs, and choices that the tracker has of its own. */
async function copiedCustomFields(bug: Bug, { session }: Context): Promise<JsonObject> {
  const onForm = (await session.metadata.fields()).filter(
    (field) => isAddedField(field) && (field.is_custom ? field.is_on_bug_entry : field.type === FIELD_TYPE.select),
  );
  const values = onForm.map(addedName).map((name) => [name, (bug as JsonObject)[name] ?? null] as const);
  return fieldsWithValues(values.filter(([, value]) => value !== UNSET));
}

const UNSET = "---"; // of a custom drop-down; a priority of this name is a value, and may not be the default one

function fieldsWithValues(fields: readonly (readonly [name: string, value: Json])[]): JsonObject {
  return Object.fromEntries(fields.filter(([, value]) => value !== null && value !== 0 && String(value) !== ""));
}

/** @throws BtError of kind guard if the tracker does not say whether the bug is restricted */
function groupsOfClone({ id, groups }: Bug, given: NewBugValues): JsonObject {
  if (groups) return groups.length > 0 ? { groups } : {};
  if (given.groups !== undefined) return {};
  throw new BtError(
    "guard",
    `the tracker does not return the groups of bug ${id}, so the clone may be visible to more users`,
    {
      hint: "add --groups GROUP to restrict the clone, or --no-groups",
      changed: "nothing",
    },
  );
}

/** CC users and the reporter, unless the groups of the bug hide it from them. */
async function ccOfClone(bug: Bug, lost: string[], { session }: Context): Promise<string[]> {
  const isRestricted = (bug.groups ?? []).length > 0;
  const hidesCc = isRestricted && bug.is_cc_accessible === false;
  const hidesReporter = isRestricted && bug.is_creator_accessible === false;
  if (hidesCc && bug.cc?.length) lost.push("CC (these users may not see the bug)");
  const own = (await session.login())?.toLowerCase();
  const cc = new Set<string>();
  if (bug.creator && bug.creator.toLowerCase() !== own && !hidesReporter) cc.add(bug.creator);
  if (!hidesCc) for (const login of bug.cc ?? []) cc.add(login);
  return [...cc];
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

/** The fields without values that a new bug cannot have, or not in the product of the clone. */
async function dropUnoffered(
  copied: JsonObject,
  given: NewBugValues,
  lost: string[],
  context: Context,
): Promise<JsonObject> {
  const { session } = context;
  const product = flagValue(given.product) ?? String(copied["product"]);
  const isMoved = product.toLowerCase() !== String(copied["product"]).toLowerCase();
  const isGiven = (name: string) => given[commandFlagName(name)] !== undefined;
  const withProduct = enterableProductLoader(session.send);
  const found = async (catalog: Catalog) =>
    unofferedValues(copied, product, await withProduct(catalog, product)).filter(([name]) => !isGiven(name));
  const unoffered = new Map(await findByCatalog(session, found));
  if (isMoved && copied["version"] !== undefined && !isGiven("version")) unoffered.set("version", [copied["version"]]);
  lost.push(...[...unoffered].map(([name, values]) => `${name} ${values.join(" and ")} (not offered in ${product})`));
  const offered: Record<string, Json> = {};
  for (const [name, value] of Object.entries(copied)) {
    const left = [value].flat().filter((item) => !unoffered.get(name)?.includes(item));
    if (left.length > 0) offered[name] = Array.isArray(value) ? left : value;
  }
  return offered;
}

/** Values of choice fields that are inactive or belong to another product, by field. */
function unofferedValues(copied: JsonObject, product: string, catalog: Catalog): [string, Json[]][] {
  const unoffered: [string, Json[]][] = [];
  for (const [name, value] of Object.entries(copied)) {
    const field = name === "product" ? undefined : findField(catalog, name);
    if (!field || field.values.length === 0) continue;
    const offered = offeredValues(name, catalog, product);
    const missing = [value].flat().filter((item) => !offered.includes(String(item)));
    if (offered.length > 0 && missing.length > 0) unoffered.push([name, missing]);
  }
  return unoffered;
}
