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

/** The fields that hold one value and depend on nothing else. */
export const updatePlainFields: UpdateStep = (context, draft) =>
  PLAIN.reduce((so_far, [name, read]) => {
    const value = context.input[name];
    return value === undefined ? so_far : withBug(so_far, read({ context, value, bug: so_far.after }));
  }, draft);

type Sent = { readonly context: WriteContext; readonly value: Json; readonly bug: Bug };
type Reader = (sent: Sent) => Partial<Bug>;

const whiteboard: Reader = ({ value }) => ({ whiteboard: asText(value, "whiteboard") });

function changedChoice(field: string, { context, value }: Sent, present: string): string {
  return readChoice(choiceField(context.call.store, field), asText(value, field), present).name;
}

const PLAIN: readonly (readonly [name: string, read: Reader])[] = [
  ["summary", ({ value }) => ({ summary: readSummary(value) })],
  ["url", ({ value }) => ({ url: oneLine(asText(value, "url")) })],
  ["status_whiteboard", whiteboard],
  ["whiteboard", whiteboard],
  ["priority", (sent) => ({ priority: changedChoice("priority", sent, sent.bug.priority) })],
  ["severity", (sent) => ({ severity: changedChoice("bug_severity", sent, sent.bug.severity) })],
  ["platform", (sent) => ({ platform: changedChoice("rep_platform", sent, sent.bug.platform) })],
  ["op_sys", (sent) => ({ op_sys: changedChoice("op_sys", sent, sent.bug.op_sys) })],
  ["deadline", ({ value }) => ({ deadline: readDateValue(asText(value, "deadline")) })],
  ["estimated_time", ({ value }) => ({ estimated_time: readHours(value, "estimated_time") })],
  ["remaining_time", ({ value }) => ({ remaining_time: readHours(value, "remaining_time") })],
  ["is_cc_accessible", ({ context }) => ({ is_cc_accessible: isFlagSet(context.input, "is_cc_accessible") })],
  [
    "is_creator_accessible",
    ({ context }) => ({ is_creator_accessible: isFlagSet(context.input, "is_creator_accessible") }),
  ],
];

/** A summary: one line, not empty. */
function readSummary(value: Json | undefined): string {
  const summary = withinLimit(oneLine(asText(value, "summary")), TEXT_LIMITS.line, "Summary");
  if (summary === "") throw new Fault(400, 107, "You must enter a summary for this bug.");
  return summary;
}

/** The custom fields that were sent; names that no field has are ignored. */
export const updateCustomFields: UpdateStep = ({ call, input, customs }, draft) => {
  const read = customs.flatMap((field) => {
    const value = input[field.name];
    const present = draft.after.custom[field.name] ?? emptyCustomValue(field);
    return value === undefined
      ? []
      : [
          [
            field.name,
            readCustomValue(field, value, { value: present, findBug: (text) => findBugId(call, text) }),
          ] as const,
        ];
  });
  return withBug(draft, { custom: { ...draft.after.custom, ...Object.fromEntries(read) } });
};

type ValuesBeforeProduct = "alias" | "url" | "severity" | "custom" | "op_sys" | "priority" | TimeValues;
type TimeValues = "deadline" | "estimated_time" | "remaining_time";
type ValuesAfterProduct = "platform" | "summary" | "whiteboard" | "is_cc_accessible" | "is_creator_accessible";

/** The values that depend on nothing else and are judged before the product, in the order in which faults are reported. */
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

/** The values that depend on nothing else and are judged after the product. */
export function readValuesAfterProduct(context: WriteContext): Pick<Bug, ValuesAfterProduct> {
  const { call, input } = context;
  const isSaid = (name: string) => input[name] === undefined || isFlagSet(input, name);
  return {
    platform: newChoice(context, "rep_platform", input["platform"] ?? call.parameters.defaultplatform),
    summary: readSummary(input["summary"]),
    whiteboard: asText(input["whiteboard"], "whiteboard"),
    is_cc_accessible: isSaid("is_cc_accessible"),
    is_creator_accessible: isSaid("is_creator_accessible"),
  };
}

function readAliases({ call, input }: WriteContext): readonly string[] {
  const said = readListItems(input["alias"], { name: "alias", takesText: true }).map(readAlias);
  const alias = uniqueBy(said, (text) => text.toLowerCase());
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

// Outside the time-tracking group these count for nothing. What is estimated remains to be done.
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
    return readCustomValue(field, value, { value: empty, findBug: (text) => findBugId(call, text) });
  refuseMissingValue(field, empty);
  return empty;
}
