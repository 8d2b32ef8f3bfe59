import type { Asking } from "../asking.ts";
import { type Row, row } from "../condition.ts";

/** The condition of `status`: exact names, `__open__` and `__closed__`; names of no status are dropped, all are no condition. */
export function statuses(asking: Asking, parameter: string, given: readonly string[]): readonly Row[] {
  const legal = asking.store.all<Status>(STATUSES);
  const wanted = legal.filter(
    ({ name, is_open }) => given.includes(name) || given.includes(is_open === 1 ? "__open__" : "__closed__"),
  );
  const unknown = given.find((name) => !WORDS.has(name) && !legal.some((status) => status.name === name));
  if (unknown !== undefined) asking.ignore(parameter, `there is no status '${unknown}'`);
  if (given.includes("__all__") || wanted.length === 0 || wanted.length === legal.length) return [];
  const items = wanted.map(({ name }) => name);
  return [{ ...row("bug_status", "anyexact", items.join(",")), items }];
}

type Status = { readonly name: string; readonly is_open: number };

const STATUSES = `SELECT field_values.name, is_open FROM field_values JOIN fields ON fields.id = field_id
  WHERE fields.name = 'bug_status' ORDER BY field_values.sort_key`;

const WORDS: ReadonlySet<string> = new Set(["__open__", "__closed__", "__all__"]);
