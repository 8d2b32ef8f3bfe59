import type { JsonObject } from "../../wire/exchange.ts";
import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { textValues } from "../http/input.ts";
import type { Store } from "../store/store.ts";

/** A custom field as a search needs to know it. */
export type SearchableCustomField = {
  readonly id: number;
  readonly name: string;
  readonly type: number;
};

/** One search while it is read and compiled: who asks, when, and which custom fields there are. */
export type SearchContext = Pick<Call, "store" | "requester" | "parameters" | "now"> & {
  readonly custom: ReadonlyMap<string, SearchableCustomField>;
  /** Told how many values were read to be compared outside of the engine; see limits.ts. */
  readonly spend: (values: number) => void;
  /** Told of everything in the request that has no effect, see strict.ts. */
  readonly ignore: (parameter: string, why: string) => void;
};

/** The custom fields of a store, obsolete ones too, by name: old bugs are still searched by them. */
export function searchableCustomFields(store: Store): ReadonlyMap<string, SearchableCustomField> {
  return new Map(
    store
      .all<SearchableCustomField>("SELECT id, name, type FROM fields WHERE is_custom = 1")
      .map((field) => [field.name, field]),
  );
}

/** The parameters of a request as texts, by name; a parameter may have several. */
export type ParameterValues = ReadonlyMap<string, readonly string[]>;

/** Reads what a search was sent. */
export function readParameterValues(input: JsonObject): ParameterValues {
  const values = new Map(Object.keys(input).map((name) => [name, textValues(input, name)] as const));
  for (const [name, list] of values) {
    if (list.some((text) => text.includes("\0"))) {
      throw new Fault(400, 32000, `The parameter ${name} holds a character (U+0000) that no text can have.`);
    }
  }
  return values;
}

/** One parameter as one text; several values are joined by commas, as rows take them. */
export function joinedText(values: ParameterValues, name: string): string {
  return (values.get(name) ?? []).join(",").trim();
}

/** The values of a parameter that are not empty. */
export function nonEmptyTexts(values: ParameterValues, name: string): readonly string[] {
  return (values.get(name) ?? []).map((text) => text.trim()).filter((text) => text !== "");
}

/** Whether a parameter is a switch that is on. */
export function isSwitchedOn(values: ParameterValues, name: string): boolean {
  return !["", "0"].includes(joinedText(values, name));
}
