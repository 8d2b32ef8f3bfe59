import type { JsonObject } from "../../wire/exchange.ts";
import type { CustomFieldRow } from "../bug-fields/custom-fields.ts";
import type { Call } from "../http/call.ts";
import { textValues } from "../http/input.ts";

/** Requester, time, parameters and custom fields of one search. */
export type SearchContext = Pick<Call, "store" | "requester" | "parameters" | "now"> & {
  readonly lowest?: number; // number from which on bugs are searched; absent: all bugs
  readonly customFields: ReadonlyMap<string, CustomFieldRow>; // by name, obsolete ones included
  /** Reports a parameter without effect. @throws Fault param_invalid on a strict tracker */
  readonly reportIgnored: (parameter: string, reason: string) => void;
};

/** Values of the search parameters, by name. */
export type ParameterValues = ReadonlyMap<string, readonly string[]>;

/** The parameter values of a search. */
export function readParameterValues(input: JsonObject): ParameterValues {
  return new Map(Object.keys(input).map((name) => [name, textValues(input, name)]));
}

/** Values of a parameter joined by commas; "" if it was not sent. */
export function joinedText(values: ParameterValues, name: string): string {
  return (values.get(name) ?? []).join(",").trim();
}

/** Non-empty values of a parameter, trimmed. */
export function nonEmptyTexts(values: ParameterValues, name: string): string[] {
  return (values.get(name) ?? []).map((text) => text.trim()).filter((text) => text !== "");
}

/** True if a boolean parameter was sent and is neither "" nor "0". */
export function isSwitchedOn(values: ParameterValues, name: string): boolean {
  return !["", "0"].includes(joinedText(values, name));
}
