import { FIELDS } from "../../fields.ts";
import { Fault } from "../../http/fault.ts";
import type { SearchContext } from "../context.ts";
import { searchableFields } from "../fields.ts";

/** Chart name of the field with a quicksearch name or unique prefix, with or without `cf_`. @throws Fault 32000 if none or several match */
export function quicksearchField(context: SearchContext, text: string): string {
  const name = text.toLowerCase();
  const names = quickNames(context);
  const exact = names.get(name) ?? names.get(`cf_${name}`);
  if (exact !== undefined) return exact;
  const [first, second] =
    [namesStartingWith(names, name), namesStartingWith(names, `cf_${name}`)].find(({ length }) => length > 0) ?? [];
  if (first === undefined) throw problem(`${text} is not a valid field name. The legal field names are listed here.`);
  if (second !== undefined) {
    const matches = namesStartingWith(names, name).map(([match]) => match);
    throw problem(`${text} matches more than one field: ${matches.join(", ")}`);
  }
  return first[1];
}

type Names = ReadonlyMap<string, string>;

// One name per field.
function namesStartingWith(names: Names, start: string): [string, string][] {
  const byField = new Map([...names].filter(([name]) => name.startsWith(start)).map(([name, field]) => [field, name]));
  return [...byField].map(([field, name]) => [name, field] as const);
}

function problem(reason: string): Fault {
  return new Fault(400, 32000, `There is a problem with your search: ${reason}`);
}

function quickNames(context: SearchContext): Names {
  const fieldNames = searchableFields(context).filter((field) => !field.includes(".") && !EXCLUDED.has(field));
  return new Map([...SHORT_NAMES, ...fieldNames.map((field) => [field, field] as const)]);
}

// Fields that quicksearch does not accept under their chart names.
const EXCLUDED: ReadonlySet<string> = new Set(
  FIELDS.flatMap(({ chart, isQuickByName }) => (isQuickByName === false ? [chart] : [])),
);

const SHORT_NAMES = FIELDS.flatMap(({ chart, quick = [] }) => quick.map((name) => [name, chart] as const));
