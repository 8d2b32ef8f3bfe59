import type { Json } from "../../wire/exchange.ts";
import { findBug } from "../bugs/find.ts";
import { refuseTaken } from "../changing/aliases.ts";
import type { Context } from "../changing/context.ts";
import { readItems } from "../changing/edits.ts";
import { readSummary } from "../changing/plain-fields.ts";
import { choiceField } from "../fields/choices.ts";
import { isGiven } from "../input.ts";
import { isOn } from "../parameters.ts";
import { isIn } from "../people/requester.ts";
import { readAlias } from "../rules/alias.ts";
import type { Bug, CustomValue } from "../rules/bug.ts";
import { readChoice } from "../rules/choice.ts";
import { type Custom, emptyCustom, readCustom, refuseMissing } from "../rules/custom-fields.ts";
import { readDay } from "../rules/dates.ts";
import { unique } from "../rules/edit.ts";
import { readHours } from "../rules/hours.ts";
import { asText, oneLine } from "../rules/text.ts";

type FirstValues = "alias" | "url" | "severity" | "custom" | "op_sys" | "priority" | TimeValues;
type TimeValues = "deadline" | "estimated_time" | "remaining_time";
type MoreValues = "platform" | "summary" | "whiteboard" | "is_cc_accessible" | "is_creator_accessible";

/** The values that depend on nothing else and are judged before the product, in the order in which faults are reported. */
export function readFirstValues(context: Context): Pick<Bug, FirstValues> {
  const { call, input } = context;
  const defaults = call.parameters;
  return {
    alias: readAliases(context),
    url: oneLine(asText(input["url"], "url")),
    severity: chosen(context, "bug_severity", input["severity"] ?? defaults.defaultseverity),
    custom: Object.fromEntries(context.customs.map((field) => [field.name, readCustomValue(context, field)])),
    ...readTimes(context),
    op_sys: chosen(context, "op_sys", input["op_sys"] ?? defaults.defaultopsys),
    priority: chosen(context, "priority", readPriority(context) ?? defaults.defaultpriority),
  };
}

/** The values that depend on nothing else and are judged after the product. */
export function readMoreValues(context: Context): Pick<Bug, MoreValues> {
  const { call, input } = context;
  const isSaid = (name: string) => input[name] === undefined || isGiven(input, name);
  return {
    platform: chosen(context, "rep_platform", input["platform"] ?? call.parameters.defaultplatform),
    summary: readSummary(input["summary"]),
    whiteboard: asText(input["whiteboard"], "whiteboard"),
    is_cc_accessible: isSaid("is_cc_accessible"),
    is_creator_accessible: isSaid("is_creator_accessible"),
  };
}

function readAliases({ call, input }: Context): readonly string[] {
  const said = readItems(input["alias"], { name: "alias", takesText: true }).map(readAlias);
  const alias = unique(said, (text) => text.toLowerCase());
  for (const name of alias) {
    refuseTaken(call, name, 0);
  }
  return alias;
}

function chosen({ call }: Context, field: string, value: Json): string {
  return readChoice(choiceField(call.store, field), asText(value, field)).name;
}

function readPriority({ call, input }: Context): Json | undefined {
  return isOn(call.parameters.letsubmitterchoosepriority) ? input["priority"] : undefined;
}

// Outside the time-tracking group these count for nothing. What is estimated remains to be done.
function readTimes({ call, input }: Context): Pick<Bug, TimeValues> {
  if (!isIn(call.requester, call.parameters.timetrackinggroup)) {
    return { deadline: "", estimated_time: 0, remaining_time: 0 };
  }
  const estimated_time = readHours(input["estimated_time"], "estimated_time");
  return {
    deadline: readDay(asText(input["deadline"], "deadline")),
    estimated_time,
    remaining_time:
      input["remaining_time"] === undefined ? estimated_time : readHours(input["remaining_time"], "remaining_time"),
  };
}

function readCustomValue({ call, input }: Context, field: Custom): CustomValue {
  const value = input[field.name];
  const empty = emptyCustom(field);
  if (value !== undefined) return readCustom(field, value, { value: empty, findBug: (text) => findBug(call, text) });
  refuseMissing(field, empty);
  return empty;
}
