import type { Json } from "../../wire/exchange.ts";
import { choiceField, readChoice } from "../bug-fields/choices.ts";
import {
  type CustomField,
  emptyCustomValue,
  readCustomValue,
  refuseMissingValue,
} from "../bug-fields/custom-fields.ts";
import { Fault } from "../http/fault.ts";
import { isFlagSet } from "../http/input.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { isInGroup } from "../users/requester.ts";
import { asText, oneLine, readDateValue, readHours, TEXT_LIMITS, withinLimit } from "../values.ts";
import { readAlias, refuseTakenAlias } from "./aliases.ts";
import type { Bug, CustomValue } from "./bug.ts";
import { type UpdateStep, type WriteContext, withBug } from "./draft.ts";
import { findBugId } from "./find.ts";
import { readListItems, uniqueBy } from "./list-edit.ts";

/** Update of the fields that hold one value and depend on no other field. */
export const updatePlainFields: UpdateStep = (context, draft) =>
  PLAIN.reduce((current, [name, read]) => {
    const value = context.input[name];
    return value === undefined ? current : withBug(current, read({ context, value, bug: current.after }));
  }, draft);

type FieldInput = { readonly context: WriteContext; readonly value: Json; readonly bug: Bug };
type Reader = (sent: FieldInput) => Partial<Bug>;

const whiteboard: Reader = ({ value }) => ({ whiteboard: asText(value, "whiteboard") });

function readChangedChoice(field: string, { context, value }: FieldInput, current: string): string {
  return readChoice(choiceField(context.call.store, field), asText(value, field), current).name;
}

const PLAIN: readonly (readonly [name: string, read: Reader])[] = [
  ["summary", ({ value }) => ({ summary: readSummary(value) })],
  ["url", ({ value }) => ({ url: oneLine(asText(value, "url")) })],
  ["status_whiteboard", whiteboard],
  ["whiteboard", whiteboard],
  ["priority", (sent) => ({ priority: readChangedChoice("priority", sent, sent.bug.priority) })],
  ["severity", (sent) => ({ severity: readChangedChoice("bug_severity", sent, sent.bug.severity) })],
  ["platform", (sent) => ({ platform: readChangedChoice("rep_platform", sent, sent.bug.platform) })],
  ["op_sys", (sent) => ({ op_sys: readChangedChoice("op_sys", sent, sent.bug.op_sys) })],
  ["deadline", ({ value }) => ({ deadline: readDateValue(asText(value, "deadline")) })],
  ["estimated_time", ({ value }) => ({ estimated_time: readHours(value, "estimated_time") })],
  ["remaining_time", ({ value }) => ({ remaining_time: readHours(value, "remaining_time") })],
  ["is_cc_accessible", ({ context }) => ({ is_cc_accessible: isFlagSet(context.input, "is_cc_accessible") })],
  [
    "is_creator_accessible",
    ({ context }) => ({ is_creator_accessible: isFlagSet(context.input, "is_creator_accessible") }),
  ],
];

/** A summary as one line. @throws Fault 107 if it is empty, 104 if it is too long */
function readSummary(value: Json | undefined): string {
  const summary = withinLimit(oneLine(asText(value, "summary")), TEXT_LIMITS.line, "Summary");
  if (summary === "") throw new Fault(400, 107, "You must enter a summary for this bug.");
  return summary;
}

/** Update of the custom fields that were sent; unknown names are ignored. */
export const updateCustomFields: UpdateStep = ({ call, input, customs }, draft) => {
  const read = customs.flatMap((field) => {
    const value = input[field.name];
    const current = draft.after.custom[field.name] ?? emptyCustomValue(field);
    return value === undefined
      ? []
      : [
          [
            field.name,
            readCustomValue(field, value, { current: current, findBug: (text) => findBugId(call, text) }),
          ] as const,
        ];
  });
  return withBug(draft, { custom: { ...draft.after.custom, ...Object.fromEntries(read) } });
};

type ValuesBeforeProduct = "alias" | "url" | "severity" | "custom" | "op_sys" | "priority" | TimeValues;
type TimeValues = "deadline" | "estimated_time" | "remaining_time";
type ValuesAfterProduct = "platform" | "summary" | "whiteboard" | "is_cc_accessible" | "is_creator_accessible";

/** Values of a new bug that Bugzilla validates before the product; the order decides which of several faults is reported. */
export function readValuesBeforeProduct(context: WriteContext): Pick<Bug, ValuesBeforeProduct> {
  const { call, input } = context;
  const defaults = call.parameters;
  return {
    alias: readAliases(context),
    url: oneLine(asText(input["url"], "url")),
    severity: newChoice(context, "bug_severity", input["severity"] ?? defaults.defaultseverity),
    custom: Object.fromEntries(context.customs.map((field) => [field.name, readNewCustomValue(context, field)])),
    ...readTimes(context),
    op_sys: newChoice(context, "op_sys", input["op_sys"] ?? defaults.defaultopsys),
    priority: newChoice(context, "priority", readPriority(context) ?? defaults.defaultpriority),
  };
}

/** Values of a new bug that Bugzilla validates after the product. */
export function readValuesAfterProduct(context: WriteContext): Pick<Bug, ValuesAfterProduct> {
  const { call, input } = context;
  const isOnByDefault = (name: string) => input[name] === undefined || isFlagSet(input, name);
  return {
    platform: newChoice(context, "rep_platform", input["platform"] ?? call.parameters.defaultplatform),
    summary: readSummary(input["summary"]),
    whiteboard: asText(input["whiteboard"], "whiteboard"),
    is_cc_accessible: isOnByDefault("is_cc_accessible"),
    is_creator_accessible: isOnByDefault("is_creator_accessible"),
  };
}

function readAliases({ call, input }: WriteContext): readonly string[] {
  const names = readListItems(input["alias"], { name: "alias", takesText: true }).map(readAlias);
  const alias = uniqueBy(names, (text) => text.toLowerCase());
  for (const name of alias) {
    refuseTakenAlias(call, name, 0);
  }
  return alias;
}

function newChoice({ call }: WriteContext, field: string, value: Json): string {
  return readChoice(choiceField(call.store, field), asText(value, field)).name;
}

function readPriority({ call, input }: WriteContext): Json | undefined {
  return isEnabled(call.parameters.letsubmitterchoosepriority) ? input["priority"] : undefined;
}

// Ignored unless the requester is in the time-tracking group. The remaining time defaults to the estimate.
function readTimes({ call, input }: WriteContext): Pick<Bug, TimeValues> {
  if (!isInGroup(call.requester, call.parameters.timetrackinggroup)) {
    return { deadline: "", estimated_time: 0, remaining_time: 0 };
  }
  const estimated_time = readHours(input["estimated_time"], "estimated_time");
  return {
    deadline: readDateValue(asText(input["deadline"], "deadline")),
    estimated_time,
    remaining_time:
      input["remaining_time"] === undefined ? estimated_time : readHours(input["remaining_time"], "remaining_time"),
  };
}

function readNewCustomValue({ call, input }: WriteContext, field: CustomField): CustomValue {
  const value = input[field.name];
  const empty = emptyCustomValue(field);
  if (value !== undefined)
    return readCustomValue(field, value, { current: empty, findBug: (text) => findBugId(call, text) });
  refuseMissingValue(field, empty);
  return empty;
}
