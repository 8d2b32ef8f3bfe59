import type { Json } from "../../wire/exchange.ts";
import { choiceField, readChoice } from "../bug-fields/choices.ts";
import { emptyCustomValue, readCustomValue, refuseMissingValue } from "../bug-fields/custom-fields.ts";
import { PLAIN_FIELDS, type PlainValue } from "../fields.ts";
import { Fault } from "../http/fault.ts";
import { isFlagSet } from "../http/input.ts";
import { asText, checkedLength, oneLine, readDateValue, readHours, TEXT_LIMITS } from "../values.ts";
import { isNew, type UpdateStep, type WriteContext, withBug } from "./draft.ts";
import { findBugId } from "./find.ts";

type PlainField = (typeof PLAIN_FIELDS)[number];

/** Update of the fields that hold one value and depend on no other field, in the order of their internal names. */
export const updatePlainFields: UpdateStep = (context, draft) =>
  BY_CHART.reduce((current, field) => {
    const { name, oldName = name, sets } = field;
    const value = context.input[name] === undefined ? context.input[oldName] : context.input[name];
    if (value === undefined) return current;
    return withBug(current, { [name]: READERS[sets]({ context, value, field, current: String(current.after[name]) }) });
  }, draft);

const BY_CHART = PLAIN_FIELDS.toSorted((a, b) => (a.chart < b.chart ? -1 : 1));

type Sent = {
  readonly context: WriteContext;
  readonly value: Json;
  readonly field: PlainField;
  readonly current: string;
};

const READERS: Readonly<Record<PlainValue, (sent: Sent) => string | number | boolean>> = {
  title: ({ value }) => readSummary(value),
  line: ({ value, field }) => oneLine(asText(value, field.name)),
  text: ({ value, field }) => asText(value, field.name),
  choice: ({ context, value, field, current }) =>
    readChoice(choiceField(context.call.store, field.chart), asText(value, field.chart), current).name,
  day: ({ value, field }) => readDateValue(asText(value, field.name)),
  hours: ({ value, field }) => readHours(value, field.chart),
  "yes-no": ({ context, field }) => isFlagSet(context.input, field.name),
};

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
    return withBug(sofar, { custom: { ...custom, [name]: readCustomValue(field, value, { current, findBug }) } });
  }, draft);
