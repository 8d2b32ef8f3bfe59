import type { JsonObject } from "../../wire/exchange.ts";
import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { textValues } from "../http/input.ts";
import type { Store } from "../store/store.ts";

/** Id, name and type (a `FIELD_TYPE`) of a custom field. */
export type SearchableCustomField = {
  id: number;
  name: string;
  type: number;
};

/** Requester, store and time of a search. */
export type SearchCall = Pick<Call, "store" | "requester" | "parameters" | "now" | "runtime">;

/** Requester, time, parameters and custom fields of one search. */
export type SearchContext = Omit<SearchCall, "runtime"> & {
  lowest?: number; // bug from whose number on the conditions have to hold; absent: of all bugs
  customFields: ReadonlyMap<string, SearchableCustomField>;
  /** Reports a parameter without effect. @throws Fault param_invalid on a strict tracker */
  reportIgnored: (parameter: string, reason: string) => void;
};

/** All custom fields by name, obsolete ones included. */
export function searchableCustomFields(store: Store): ReadonlyMap<string, SearchableCustomField> {
  return new Map(
    store
      .all<SearchableCustomField>("SELECT id, name, type FROM fields WHERE is_custom = 1")
      .map((field) => [field.name, field]),
  );
}

/** Values of the search parameters, by name. */
export type ParameterValues = ReadonlyMap<string, string[]>;

/** The parameter values of a search. @throws Fault other for a value with NUL */
export function readParameterValues(input: JsonObject): ParameterValues {
  const values = new Map(Object.keys(input).map((name) => [name, textValues(input, name)] as const));
  for (const [name, list] of values) {
    if (list.some((text) => text.includes("\0"))) {
      throw new Fault("other", `The parameter ${name} contains the character U+0000.`);
    }
  }
  return values;
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
