import type { Json } from "../../wire/exchange.ts";
import { Fault } from "../fault.ts";
import { choiceField } from "../fields/choices.ts";
import { isGiven } from "../input.ts";
import type { Bug } from "../rules/bug.ts";
import { readChoice } from "../rules/choice.ts";
import { readDay } from "../rules/dates.ts";
import { readHours } from "../rules/hours.ts";
import { asText, LIMITS, oneLine, within } from "../rules/text.ts";
import type { Context } from "./context.ts";
import { type Step, withBug } from "./draft.ts";

/** The fields that hold one value and depend on nothing else. */
export const plainFields: Step = (context, draft) =>
  PLAIN.reduce((so_far, [name, read]) => {
    const value = context.input[name];
    return value === undefined ? so_far : withBug(so_far, read({ context, value, bug: so_far.after }));
  }, draft);

type Sent = { readonly context: Context; readonly value: Json; readonly bug: Bug };
type Reader = (sent: Sent) => Partial<Bug>;

const whiteboard: Reader = ({ value }) => ({ whiteboard: asText(value, "whiteboard") });

function chosen(field: string, { context, value }: Sent, present: string): string {
  return readChoice(choiceField(context.call.store, field), asText(value, field), present).name;
}

const PLAIN: readonly (readonly [name: string, read: Reader])[] = [
  ["summary", ({ value }) => ({ summary: readSummary(value) })],
  ["url", ({ value }) => ({ url: oneLine(asText(value, "url")) })],
  ["status_whiteboard", whiteboard],
  ["whiteboard", whiteboard],
  ["priority", (sent) => ({ priority: chosen("priority", sent, sent.bug.priority) })],
  ["severity", (sent) => ({ severity: chosen("bug_severity", sent, sent.bug.severity) })],
  ["platform", (sent) => ({ platform: chosen("rep_platform", sent, sent.bug.platform) })],
  ["op_sys", (sent) => ({ op_sys: chosen("op_sys", sent, sent.bug.op_sys) })],
  ["deadline", ({ value }) => ({ deadline: readDay(asText(value, "deadline")) })],
  ["estimated_time", ({ value }) => ({ estimated_time: readHours(value, "estimated_time") })],
  ["remaining_time", ({ value }) => ({ remaining_time: readHours(value, "remaining_time") })],
  ["is_cc_accessible", ({ context }) => ({ is_cc_accessible: isGiven(context.input, "is_cc_accessible") })],
  [
    "is_creator_accessible",
    ({ context }) => ({ is_creator_accessible: isGiven(context.input, "is_creator_accessible") }),
  ],
];

/** A summary: one line, not empty. */
export function readSummary(value: Json | undefined): string {
  const summary = within(oneLine(asText(value, "summary")), LIMITS.line, "Summary");
  if (summary === "") throw new Fault(400, 107, "You must enter a summary for this bug.");
  return summary;
}
