import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Bug, CustomValue } from "../bug.ts";
import { type CustomField, choiceField, readChoice } from "../bug-fields/choices.ts";
import { emptyCustomValue, readCustomValue, refuseMissingValue } from "../bug-fields/custom-fields.ts";
import { PLAIN_FIELDS, type PlainField, type PlainValue } from "../fields.ts";
import { Fault } from "../http/fault.ts";
import { isFlagSet } from "../http/input.ts";
import { isInGroup } from "../http/requester.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { uniqueBy } from "../unique-by.ts";
import { asText, checkedLength, oneLine, readDateValue, readHours, TEXT_LIMITS } from "../values.ts";
import { readAlias, refuseTakenAlias } from "./aliases.ts";
import { type UpdateStep, type WriteContext, withBug } from "./draft.ts";
import { findBugId } from "./find.ts";
import { readListItems } from "./list-edit.ts";

/** Update of the fields that hold one value and depend on no other field. */
export const updatePlainFields: UpdateStep = (context, draft) =>
  PLAIN_FIELDS.reduce((current, field) => {
    const value = sentValue(context, field);
    if (value === undefined) return current;
    const currentValue = String(current.after[field.name]);
    return withBug(current, {
      [field.name]: READER_BY_VALUE_KIND[field.sets]({ context, value, field, currentValue }),
    });
  }, draft);

type SettableField = (typeof PLAIN_FIELDS)[number];

function sentValue({ input }: WriteContext, { name, oldName = name }: SettableField): Json | undefined {
  return input[name] === undefined ? input[oldName] : input[name];
}

type Sent = {
  context: WriteContext;
  value: Json | undefined;
  field: SettableField;
  currentValue?: string; // the value of a bug that is changed
};

/** Reader of each kind of value. */
const READER_BY_VALUE_KIND: Readonly<Record<PlainValue, (sent: Sent) => string | number | boolean>> = {
  title: ({ value }) => readSummary(value),
  line: ({ value, field }) => oneLine(asText(value, field.name)),
  text: ({ value, field }) => asText(value, field.name),
  choice: ({ context, value, field, currentValue }) =>
    readChoice(choiceField(context.call.store, field.chart), asText(value, field.chart), currentValue).name,
  day: ({ value, field }) => readDateValue(asText(value, field.name)),
  hours: ({ value, field }) => readHours(value, field.chart),
  "yes-no": ({ context, field }) => isFlagSet(context.input, field.name),
};

/** A summary as one line. @throws Fault require_summary if it is empty, illegal_field if too long */
function readSummary(value: Json | undefined): string {
  const summary = checkedLength(oneLine(asText(value, "summary")), TEXT_LIMITS.line, "Summary");
  if (summary === "") throw new Fault("require_summary", "You must enter a summary for this bug.");
  return summary;
}

/** Update of the custom fields that were sent; unknown names are ignored. */
export const updateCustomFields: UpdateStep = ({ call, input, customFields }, draft) => {
  const custom = { ...draft.after.custom };
  const findBug = (text: string) => findBugId(call, text);
  for (const field of customFields) {
    const value = input[field.name];
    if (value === undefined) continue;
    const current = draft.after.custom[field.name] ?? emptyCustomValue(field);
    custom[field.name] = readCustomValue(field, value, { current, findBug });
  }
  return withBug(draft, { custom });
};

/** Values of a new bug in the fields that depend on no other. */
export type NewValues = Pick<Bug, PlainField | "alias" | "custom">;

/**
 * Values of a new bug that Bugzilla validates before the product: it goes through them by their internal names, and the
 * first of several faults is reported.
 * @see Bugzilla/Object.pm, `run_create_validators`
 */
export function readValuesBeforeProduct(context: WriteContext): Partial<NewValues> {
  return {
    alias: readAliases(context),
    ...readNewValues(context, (chart) => chart < CUSTOM),
    custom: Object.fromEntries(context.customFields.map((field) => [field.name, readNewCustomValue(context, field)])),
    ...readTimes(context),
    ...readNewValues(context, (chart) => chart > CUSTOM && chart < PRODUCT),
  };
}

/** Values of a new bug that Bugzilla validates after the product. */
export function readValuesAfterProduct(context: WriteContext): Partial<NewValues> {
  return readNewValues(context, (chart) => chart > PRODUCT);
}

const CUSTOM = "cf_";
const PRODUCT = "product";

const TIMES = PLAIN_FIELDS.filter(({ right }) => right === "time trackers");
const TIMELESS = PLAIN_FIELDS.filter(({ right }) => right !== "time trackers").toSorted((a, b) =>
  a.chart < b.chart ? -1 : 1,
);

function readNewValues(context: WriteContext, isMeant: (chart: string) => boolean): Partial<NewValues> {
  const fields = TIMELESS.filter(({ chart }) => isMeant(chart));
  return Object.fromEntries(fields.map((field) => [field.name, readNewValue(context, field)]));
}

function readNewValue(context: WriteContext, field: SettableField): string | number | boolean {
  const value = mayCreatorChoose(context, field) ? context.input[field.name] : undefined;
  if (field.sets === "yes-no" && value === undefined) return true;
  const usual = field.default && context.call.parameters[field.default];
  return READER_BY_VALUE_KIND[field.sets]({ context, value: value ?? usual, field });
}

function mayCreatorChoose({ call }: WriteContext, { name }: SettableField): boolean {
  return name !== "priority" || isEnabled(call.parameters.letsubmitterchoosepriority);
}

function readAliases({ call, input }: WriteContext): string[] {
  const names = readListItems(input["alias"], { name: "alias", takesText: true }).map(readAlias);
  const alias = uniqueBy(names, (text) => text.toLowerCase());
  for (const name of alias) {
    refuseTakenAlias(call, name, 0);
  }
  return alias;
}

// Ignored unless the requester is in the time-tracking group. The remaining time defaults to the estimate.
function readTimes(context: WriteContext): Partial<NewValues> {
  const { call, input } = context;
  const isTracker = isInGroup(call.requester, call.parameters.timetrackinggroup);
  const { estimated_time } = input;
  const sent: JsonObject = isTracker ? { ...(estimated_time && { remaining_time: estimated_time }), ...input } : {};
  const read = (field: SettableField) => READER_BY_VALUE_KIND[field.sets]({ context, value: sent[field.name], field });
  return Object.fromEntries(TIMES.map((field) => [field.name, read(field)]));
}

function readNewCustomValue({ call, input }: WriteContext, field: CustomField): CustomValue {
  const value = input[field.name];
  const empty = emptyCustomValue(field);
  if (value !== undefined)
    return readCustomValue(field, value, { current: empty, findBug: (text) => findBugId(call, text) });
  refuseMissingValue(field, empty);
  return empty;
}
