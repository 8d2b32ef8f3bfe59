import { requireField, STANDARD_FIELDS } from "../catalog/catalog.ts";
import type { Comparison, Query } from "./tree.ts";

/** A test of a standard field with one value. */
export function fieldTest(name: string, op: Exclude<Comparison, ":" | "empty">, value: string): Query {
  return standardTest(name, op, [value]);
}

/** True where a standard field is empty. */
export function fieldIsEmpty(name: string): Query {
  return standardTest(name, "empty", []);
}

/** True where a standard field equals any of the values. */
export function fieldEqualsAny(name: string, values: string[]): Query {
  return standardTest(name, "=", values);
}

/** True where the text of a standard field contains all of the parts. */
export function fieldContainsAll(name: string, parts: string[]): Query {
  return standardTest(name, "~", parts);
}

function standardTest(name: string, op: Exclude<Comparison, ":">, values: string[]): Query {
  return { kind: "test", field: requireField(STANDARD_FIELDS, name), op, values };
}
