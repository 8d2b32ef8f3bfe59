import { DEFAULT_PEOPLE, type DefaultPerson } from "../../wire/bug-fields.ts";
import type { Json } from "../../wire/exchange.ts";
import {
  choiceField,
  choiceRequiredFault,
  emptyCustomValue,
  readChoice,
  readCustomValue,
  refuseMissingValue,
  requireActive,
} from "../bug-fields/values.ts";
import { type Bug, type Person, PLAIN_FIELDS } from "../fields.ts";
import { flagsAfterMove } from "../flags/flags.ts";
import { findPerson, isEnabled } from "../http/call.ts";
import { isFlagSet } from "../http/input.ts";
import {
  defaultPerson,
  enterableProduct,
  findComponent,
  findPart,
  groupControls,
  groupsAfterMove,
  type ProductPart,
} from "../products/products.ts";
import { asText, checkedLength, Fault, oneLine, readDateValue, readHours, TEXT_LIMITS } from "../values.ts";
import {
  type BugDraft,
  findBugId,
  isNew,
  missingRight,
  productRights,
  requireRight,
  type UpdateStep,
  type WriteContext,
  withBug,
} from "./draft.ts";

type PlainField = (typeof PLAIN_FIELDS)[number];

/** Update of the fields that hold one value and depend on no other field, in the order of their internal names. */
export const updatePlainFields: UpdateStep = (context, draft) =>
  BY_CHART.reduce((current, field) => {
    const { name, oldName = name } = field;
    const value = context.input[name] === undefined ? context.input[oldName] : context.input[name];
    if (value === undefined) return current;
    return withBug(current, { [name]: readPlain(context, field, value, String(current.after[name])) });
  }, draft);

const BY_CHART = PLAIN_FIELDS.toSorted((a, b) => (a.chart < b.chart ? -1 : 1));

function readPlain({ call, input }: WriteContext, { name, chart, sets }: PlainField, value: Json, current: string) {
  switch (sets) {
    case "title":
      return readSummary(value);
    case "line":
      return oneLine(asText(value, name));
    case "text":
      return asText(value, name);
    case "choice":
      return readChoice(choiceField(call.store, chart), asText(value, chart), current).name;
    case "day":
      return readDateValue(asText(value, name));
    case "hours":
      return readHours(value, chart);
    default:
      return isFlagSet(input, name);
  }
}

/** A summary as one line. @throws Fault require_summary if it is empty, illegal_field if too long */
function readSummary(value: Json): string {
  const summary = checkedLength(oneLine(asText(value, "summary")), TEXT_LIMITS.line, "Summary");
  if (summary === "") throw new Fault("require_summary", "You must enter a summary for this bug.");
  return summary;
}

/** Update of the custom fields that were sent. Of a new bug, the mandatory ones are required. */
export const updateCustomFields: UpdateStep = ({ call, input, customFields }, draft) =>
  customFields.reduce((sofar, field) => {
    const { name } = field;
    const { custom } = sofar.after;
    const current = custom[name] ?? emptyCustomValue(field);
    const value = input[name];
    if (value === undefined && isNew(draft)) refuseMissingValue(field, current);
    if (value === undefined) return sofar;
    const findBug = (text: string) => findBugId(call, text);
    return withBug(sofar, { custom: { ...custom, [name]: readCustomValue(field, value, current, findBug) } });
  }, draft);

/** Update of the product. On a change, component, version and milestone must exist in the new product. */
export const updateProduct: UpdateStep = ({ call, input }, draft) => {
  if (input["product"] === undefined && !isNew(draft)) return draft;
  const product = enterableProduct(call, asText(input["product"], "product"));
  if (product.id === draft.after.product.id) return draft;
  return withBug(draft, { product, groups: groupsAfterMove(draft.after.groups, groupControls(call, product.id)) });
};

function isMoved({ before, after }: BugDraft): boolean {
  return before.product.id !== after.product.id;
}

/** Update of the component; flags whose types it does not have are removed. */
export const updateComponent: UpdateStep = ({ call, input }, draft) => {
  const { component: current, product } = draft.after;
  if (input["component"] === undefined && !isMoved(draft)) return draft;
  const name = asText(input["component"] ?? current.name, "component").trim();
  if (name === "")
    throw new Fault(
      "require_component",
      "To file this bug, you must first choose a component. If necessary, just guess.",
    );
  const found = findComponent(call.store, product, name);
  const component = requireActive("component", found, isMoved(draft) ? "" : current.name);
  if (component.id === current.id) return draft;
  return withBug(draft, { component, flags: flagsAfterMove(call, { ...draft.after, component }) });
};

export const updateVersion: UpdateStep = (context, draft) => {
  if (context.input["version"] === undefined && !isMoved(draft)) return draft;
  return withBug(draft, { version: readPart(context, draft, "version") });
};

/**
 * Update of the milestone. On a product change it must exist in the new product if the requester may choose milestones;
 * otherwise, and where milestones are off, it becomes the product's default. A new bug may have an inactive milestone.
 * @see Bugzilla/Bug.pm, _set_product and _check_target_milestone
 */
export const updateMilestone: UpdateStep = (context, draft) => {
  const { call, input } = context;
  const { product, target_milestone: from } = draft.after;
  const sent = input["target_milestone"];
  if (sent === undefined && !isMoved(draft)) return draft;
  const usual = withBug(draft, { target_milestone: product.default_milestone });
  if (sent === undefined && (isNew(draft) || !isEnabled(call.parameters.usetargetmilestone))) return usual;
  const change = { field: "target_milestone", from, to: asText(sent ?? product.default_milestone, "milestone") };
  if (isMoved(draft) && !isNew(draft) && missingRight(context, draft.before, change) !== undefined) return usual;
  const to = readPart(context, draft, "milestone");
  if (!isMoved(draft)) requireRight(context, draft.before, { ...change, to });
  return withBug(draft, { target_milestone: to });
};

function readPart({ call, input }: WriteContext, draft: BugDraft, part: ProductPart): string {
  const parameter = part === "version" ? "version" : "target_milestone";
  const current = draft.after[parameter];
  const name = asText(input[parameter] ?? current, parameter).trim();
  if (name === "") throw choiceRequiredFault(part);
  const choice = findPart(call.store, draft.after.product, { part, name });
  if (isNew(draft) && part === "milestone") return choice.name;
  return requireActive(part, choice, isMoved(draft) ? "" : current).name;
}

/**
 * Update of assignee and QA contact; `reset_...` sets the component's default and overrides a value. A new bug has the
 * defaults unless the requester names others, and may edit bugs.
 */
export const updatePeople: UpdateStep = (context, draft) => {
  const { call } = context;
  const { product, component } = draft.after;
  const isDefault = isNew(draft) && !productRights(call, product.id).mayEdit;
  const used = DEFAULT_PEOPLE.filter(({ isOptional }) => !isOptional || isEnabled(call.parameters.useqacontact));
  const people = used.map((person) => [
    person.field,
    isDefault ? defaultPerson(call.store, component, person) : readPerson(person, context, draft),
  ]);
  return withBug(draft, Object.fromEntries(people) as Partial<Bug>);
};

function readPerson(person: DefaultPerson, { call, input }: WriteContext, draft: BugDraft): Person | null {
  const { field, isOptional } = person;
  const { after } = draft;
  const login = asText(input[field], field).trim();
  if (isFlagSet(input, `reset_${field}`) || (isNew(draft) && login === ""))
    return defaultPerson(call.store, after.component, person);
  if (input[field] === undefined) return after[field];
  if (login !== "") return findPerson(call, login);
  if (isOptional) return null;
  throw new Fault("param_required", "To reassign a bug, you must provide an address for the new assignee.");
}
