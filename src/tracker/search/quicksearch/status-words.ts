import type { Asking } from "../asking.ts";
import { type Condition, group, row } from "../condition.ts";

/**
 * What a first word says about the status: `ALL` nothing, `OPEN` the open ones, capitals are the beginnings of statuses and
 * resolutions (`RES`, `CON,UNC`, `FIX`). Undefined when it is a word like any other.
 */
export function statusCondition({ store }: Asking, word: string): readonly Condition[] | undefined {
  if (word === "ALL") return [];
  const legal = store.all<Legal>(LEGAL);
  if (word === "OPEN") {
    return [
      oneOf(
        "bug_status",
        legal.filter(({ is_open }) => is_open === 1),
      ),
    ];
  }
  const starts = /^[A-Z_]+(?:,[A-Z_]+)*$/.test(word) ? word.split(",") : [];
  const meant = (start: string) => legal.filter(({ name }) => name.startsWith(start));
  if (starts.length === 0 || starts.some((start) => meant(start).length === 0)) return undefined;
  const all = starts.flatMap(meant);
  const choices = ["bug_status", "resolution"].map((field) => ({
    field,
    values: all.filter((value) => value.field === field),
  }));
  return [
    group(
      "OR",
      choices.filter(({ values }) => values.length > 0).map(({ field, values }) => oneOf(field, values)),
    ),
  ];
}

type Legal = { readonly field: string; readonly name: string; readonly is_open: number };

const LEGAL = `SELECT fields.name AS field, field_values.name, is_open
  FROM field_values JOIN fields ON fields.id = field_id WHERE fields.name IN ('bug_status', 'resolution')`;

function oneOf(field: string, values: readonly Legal[]): Condition {
  const items = values.map(({ name }) => name);
  return { ...row(field, "anyexact", items.join(",")), items };
}
