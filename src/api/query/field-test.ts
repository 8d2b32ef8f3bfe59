import { requireField, STANDARD_FIELDS } from "../catalog/catalog.ts";
import type { Comparison, Query } from "./tree.ts";

/** A test of a standard field. */
export function fieldTest(name: string, op: Exclude<Comparison, ":">, ...values: string[]): Query {
  return { kind: "test", field: requireField(STANDARD_FIELDS, name), op, values };
}
