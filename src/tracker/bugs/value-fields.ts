import type { Json } from "../../wire/exchange.ts";
import { choiceField, readChoice } from "../bug-fields/choices.ts";
import { emptyCustomValue, readCustomValue, refuseMissingValue } from "../bug-fields/custom-fields.ts";
import { PLAIN_FIELDS, type PlainValue } from "../fields.ts";
import { Fault } from "../http/fault.ts";
import { isFlagSet } from "../http/input.ts";
import { asText, checkedLength, oneLine, readDateValue, readHours, TEXT_LIMITS } from "../values.ts";
import { isNew, type UpdateStep, type WriteContext, withBug } from "./draft.ts";
import { findBugId } from "./find.ts";

type SettableField = (typeof PLAIN_FIELDS)[number];

/** Update of the fields that hold one value and depend on no other field, in the order of their internal names. */
export function plainStep(isMeant: (field: SettableField) => boolean): UpdateStep {
  const fields = BY_CHART.filter(isMeant);
  return (context, draft) =>
    fields.reduce((current, field) => {
      const value = sentValue(context, field);
      if (value === undefined) return current;
      const currentValue = String(current.after[field.name]);
      return withBug(current, {
        [field.name]: READER_BY_VALUE_KIND[field.sets]({ context, value, field, currentValue }),
      });
    }, draft);
}

const BY_CHART = PLAIN_FIELDS.toSorted((a, b) => (a.chart < b.chart ? -1 : 1));

function sentValue({ input }: WriteContext, { name, oldName = name }: SettableField): Json | undefined {
  return input[name] === undefined ? input[oldName] : input[name];
}

type Sent = {
  context: WriteContext;
  value: Json;
  field: SettableField;
  currentValue: string;
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
function readSummary(value: Json): string {
  const summary = checkedLength(oneLine(asText(value, "summary")), TEXT_LIMITS.line, "Summary");
  if (summary === "") throw new Fault("require_summary", "You must enter a summary for this bug.");
  return summary;
}

/** Update of the custom fields that were sent; unknown names are ignored. Of a new bug, the mandatory ones are required. */
export const updateCustomFields: UpdateStep = ({ call, input, customFields }, draft) => {
  const custom = { ...draft.after.custom };
  const findBug = (text: string) => findBugId(call, text);
  for (const field of customFields) {
    const value = input[field.name];
    const current = draft.after.custom[field.name] ?? emptyCustomValue(field);
    if (value === undefined && isNew(draft)) refuseMissingValue(field, current);
    if (value === undefined) continue;
    custom[field.name] = readCustomValue(field, value, { current, findBug });
  }
  return withBug(draft, { custom });
};
