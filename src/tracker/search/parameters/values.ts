import type { JsonObject } from "../../../wire/exchange.ts";
import { Fault } from "../../fault.ts";
import { texts } from "../../input.ts";

/** The parameters of a request as texts, by name; a parameter may have several. */
export type Values = ReadonlyMap<string, readonly string[]>;

/** Reads what a search was sent. */
export function readValues(input: JsonObject): Values {
  const values = new Map(Object.keys(input).map((name) => [name, texts(input, name)] as const));
  for (const [name, list] of values) {
    if (list.some((text) => text.includes("\0"))) {
      throw new Fault(400, 32000, `The parameter ${name} holds a character (U+0000) that no text can have.`);
    }
  }
  return values;
}

/** One parameter as one text; several values are joined by commas, as rows take them. */
export function oneText(values: Values, name: string): string {
  return (values.get(name) ?? []).join(",").trim();
}

/** The values of a parameter that are not empty. */
export function filledTexts(values: Values, name: string): readonly string[] {
  return (values.get(name) ?? []).map((text) => text.trim()).filter((text) => text !== "");
}

/** Whether a parameter is a switch that is on. */
export function isSwitchedOn(values: Values, name: string): boolean {
  return !["", "0"].includes(oneText(values, name));
}
