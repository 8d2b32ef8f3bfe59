import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Bug, Component, Product } from "../bug.ts";
import { type CustomField, choiceRequiredFault, customFields, requireActive } from "../bug-fields/choices.ts";
import { emptyCustomValue } from "../bug-fields/custom-fields.ts";
import { FIELD_MAP, FIELDS } from "../fields.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { requireLogin } from "../http/requester.ts";
import { queueBugMails } from "../mail/queue.ts";
import { enterableProduct } from "../products/access.ts";
import { findComponent, findPart } from "../products/parts.ts";
import { asText } from "../values.ts";
import { applyToOtherBugs, storeBug } from "./apply.ts";
import { emptyDraft, makeWriteContext, type WriteContext } from "./draft.ts";
import { updateBugFlags } from "./flags.ts";
import { readNewCc, readNewDependencies, readNewGroups, readNewKeywords, readNewSeeAlso } from "./list-fields.ts";
import { insertComment, type NewComment } from "./new-comment.ts";
import { readNewAssignees } from "./people.ts";
import { componentRequiredFault } from "./product-fields.ts";
import { insertBugRow, saveBugChanges } from "./save.ts";
import { readBugDescription, readNewStatus } from "./status.ts";
import { type NewValues, readValuesAfterProduct, readValuesBeforeProduct } from "./value-fields.ts";

/**
 * Route of Create Bug: the description becomes the first comment.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#create-bug
 */
export const bugCreateRoutes: readonly Route[] = [{ method: "POST", path: "/bug", handle: (call) => createBug(call) }];

function createBug(call: Call): Json {
  requireLogin(call);
  const input = newBugInput(call.input, customFields(call.store));
  const context = makeWriteContext(call, { input, bugIds: [] });
  const { bug, description } = readNewBug(context);
  const created: Bug = { ...bug, id: insertBugRow(call.store, bug) };
  const blank = withoutLists(context, created);
  saveBugChanges({ store: call.store, customFields: context.customFields, now: call.now }, blank, created);
  insertComment(call.store, { bugId: created.id, userId: context.user.id, time: call.now }, description);
  applyToOtherBugs(context, { ...emptyDraft(blank), after: created });
  const withFlags = updateBugFlags(context, emptyDraft(created));
  storeBug(context, withFlags);
  queueBugMails(call, { before: created, after: withFlags.after, isNew: true, changes: [], comment: description });
  return { id: created.id };
}

// The bug as its row in `bugs` alone has it.
function withoutLists(context: WriteContext, bug: Bug): Bug {
  return {
    ...bug,
    alias: [],
    cc: [],
    keywords: [],
    groups: [],
    depends_on: [],
    blocks: [],
    see_also: [],
    custom: Object.fromEntries(context.customFields.map((field) => [field.name, emptyCustomValue(field)])),
  };
}

/** A validated new bug with defaults filled in; its id is 0 until it is stored. */
function readNewBug(context: WriteContext): { bug: Bug; description: NewComment } {
  const earlyValues = readValuesBeforeProduct(context);
  const product = enterableProduct(context.call, inputText(context, "product"));
  const values = { ...earlyValues, ...readValuesAfterProduct(context) } as NewValues;
  const description = readBugDescription(context);
  const component = readNewComponent(context, product);
  const dependencies = readNewDependencies(context, product);
  const lists = { ...dependencies, groups: readNewGroups(context, product), keywords: readNewKeywords(context) };
  const parts = { version: readVersion(context, product), target_milestone: readNewMilestone(context, product) };
  const status = readNewStatus(context, { product, description, dependsOn: dependencies.depends_on });
  const roles = { ...readNewAssignees(context, component, product), cc: readNewCc(context, component) };
  const bug: Bug = {
    id: 0,
    product,
    component,
    ...values,
    ...lists,
    ...parts,
    ...status,
    ...roles,
    creator: { id: context.user.id, login: context.user.login },
    see_also: readNewSeeAlso(context),
    flags: [],
    dupe_of: null,
    creation_time: context.call.now,
    last_change_time: context.call.now,
  };
  return { bug, description };
}

function inputText({ input }: WriteContext, name: string): string {
  return asText(input[name], name).trim();
}

function readNewComponent(context: WriteContext, product: Product): Component {
  const name = inputText(context, "component");
  if (name === "") throw componentRequiredFault();
  return requireActive("component", findComponent(context.call.store, product, name));
}

function readVersion(context: WriteContext, product: Product): string {
  const name = inputText(context, "version");
  if (name === "") throw choiceRequiredFault("version");
  return requireActive("version", findPart(context.call.store, product, { part: "version", name })).name;
}

/** Inactive milestones are accepted. @see Bugzilla/Bug.pm, `_check_target_milestone` */
function readNewMilestone(context: WriteContext, product: Product): string {
  if (context.input["target_milestone"] === undefined) return product.default_milestone;
  const name = inputText(context, "target_milestone");
  if (name === "") throw choiceRequiredFault("milestone");
  return findPart(context.call.store, product, { part: "milestone", name }).name;
}

const TAKEN_FIELDS = FIELDS.filter(({ json, onCreate }) => json && !onCreate);
const IGNORED_FIELDS = FIELDS.filter(({ onCreate }) => onCreate === "ignored");

// Older names that Bugzilla accepts too. @see Bugzilla/Bug.pm, map_fields
const OLD_NAMES: ReadonlyMap<string, string> = new Map([...FIELD_MAP, ["comment", "description"]]);

const PARAMETERS: ReadonlySet<string> = new Set<string>([
  ...TAKEN_FIELDS.map(({ name }) => name),
  "comment_is_private",
  "description",
]);

// Fields that cannot be set on a new bug, and parameters that are not fields.
const IGNORED: ReadonlySet<string> = new Set<string>([
  ...IGNORED_FIELDS.map(({ name }) => name),
  "lastdiffed",
  "work_time",
  "callback",
  "exclude_fields",
  "include_fields",
  "login",
  "password",
  "Bugzilla_restrictlogin",
  "restrict_login",
]);

/** Input of a new bug under current names, without nulls and ignored parameters. @throws Fault param_invalid for unknown names */
function newBugInput(input: JsonObject, custom: CustomField[]): JsonObject {
  const renamed = Object.entries(input).map(([name, value]) => [OLD_NAMES.get(name) ?? name, value] as const);
  for (const [name] of renamed) {
    if (!PARAMETERS.has(name) && !IGNORED.has(name) && !custom.some((field) => field.name === name)) {
      throw new Fault("param_invalid", `${name} is not a valid parameter for the Bugzilla::Bug::create function.`);
    }
  }
  return Object.fromEntries(renamed.filter(([name, value]) => value !== null && !IGNORED.has(name)));
}
