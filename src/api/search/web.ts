import { type BtError, usageError } from "../../errors.ts";
import { PERSON_ROLES } from "../../wire/search-names.ts";
import { type Catalog, type CatalogField, findField, requireField } from "../catalog/catalog.ts";
import { grouped, partition } from "../lists.ts";
import { suggestNames } from "../nearest.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { flagsToTree } from "../query/flags.ts";
import type { Pair } from "../query/rows.ts";
import { allOf, type Term, type Tree } from "../query/tree.ts";

/** The parameters in the URL of a search page, or in its query string alone. */
export function urlPairs(url: string): readonly Pair[] {
  const query = /^[^=&]*\?/.test(url) ? url.slice(url.indexOf("?") + 1) : url;
  return [...new URLSearchParams(query.replace(/#.*/s, ""))];
}

/**
 * Reads parameters of the search page: those of the interface are conditions, checked as those of flags; the others must have
 * known names, and are passed on in `passed`. `isTyped`: by a user, and not by a search page, which sends incomplete rows, too.
 * @throws BtError of kind usage for an unknown name, an incomplete row, a saved search, and a search without conditions
 */
export function readWeb(pairs: readonly Pair[], catalog: Catalog, isTyped: boolean) {
  const given = pairs.filter(([name, value]) => !LAYOUT.has(name) && value !== "");
  const saved = given.find(([name]) => name === "namedcmd")?.[1];
  if (saved !== undefined)
    throw usageError(`the saved search "${saved}" cannot be run by its name`, "copy its URL from the browser");
  const conditions: Tree<Term>[] = [];
  const others: Pair[] = [];
  for (const [name, group] of grouped(given, ([one]) => conditionName(one, catalog))) {
    const isEffective = isCondition(name, group);
    if (!isEffective && isTyped) throw usageError(`"${name}" is incomplete: alone it has no effect`);
    if (!isEffective) continue;
    const [values, [type]] = partition(group, ([one]) => one === name);
    const field = conditionField(name, type?.[1], catalog);
    const words = values.map(([, value]) => value.replace(/^__(open|closed|all)__$/, "@$1"));
    if (field) conditions.push(flagsToTree({ [field.api]: words }, catalog));
    else others.push(...group);
  }
  const passed = closedRows(others, catalog, isTyped);
  if (conditions.length + passed.length === 0) throw noConditions();
  return { tree: allOf(conditions), passed };
}

export function noConditions(): BtError {
  return usageError("this search has no conditions and would match every bug", "--all matches every bug");
}

/** True for parameters that are a condition together: people need a role, changes a time or a value. */
function isCondition(name: string, group: readonly Pair[]): boolean {
  const has = (pattern: RegExp) => group.some(([one, value]) => pattern.test(`${one}=${value}`));
  if (name === "chfield") return has(/^chfield(?:from|to)=(?!now$)/i) || (has(/^chfield=/) && has(/^chfieldvalue=/));
  return has(RegExp(`^${name}=`)) && (!name.startsWith("email") || has(/^email(?!type)\D/));
}

/**
 * The parameter to whose condition a parameter belongs: `short_desc` for `short_desc_type`,
 * `email1` for `emailtype1`, `chfield` for `chfieldto`; else itself.
 * @throws BtError of kind usage for a name that trackers ignore
 */
function conditionName(name: string, catalog: Catalog): string {
  if (FORM.test(name)) return name.replace(/^email\D+/, "email").replace(/^chfield.*/, "chfield");
  const found = [name, name.replace(/_type$/, "")].find((one) => pageField(one, catalog));
  if (found !== undefined) return found;
  const names = [...INTERFACE, ...catalog.fields.map(({ chart }) => chart.replaceAll(".", "_"))];
  throw usageError(`unknown search parameter "${name}"`, suggestNames(name, names));
}

/** Parameters of the page that are no conditions. */
const LAYOUT: ReadonlySet<string> = new Set(
  `order limit offset query_format columnlist ctype format list_id known_name query_based_on title tweak human debug
  regetlastlist cmdtype remaction remtype newqueryname api_key Bugzilla_api_key token Bugzilla_token`.split(/\s+/),
);

/** Parameters of forms of the page: rows, people, changes, days. */
const FORM = new RegExp(
  `^(?:[fovnj]\\d+|j_top|email(?:type|${PERSON_ROLES.join("|")})?\\d+|chfield(?:from|to|value)?|deadline(?:from|to)|quicksearch)$`,
);

/** Parameters of Search Bugs; `reporter` is another name of `creator`. */
const INTERFACE: ReadonlySet<string> = new Set([...SEARCH_BUGS.parameters.map(({ name }) => name), "reporter"]);

/** The field of a parameter that means the same in the interface; `type` is how the page compares it. */
function conditionField(name: string, type: string | undefined, catalog: Catalog): CatalogField | undefined {
  const field = pageField(name, catalog);
  const isListed = field?.family === "choice" || field?.family === "ranked" || field?.chart === "bug_id";
  const isEqual = type === undefined ? INTERFACE.has(name) || isListed : isListed && /^(?:anyexact|equals)$/.test(type);
  return isEqual ? field : undefined;
}

/** The field of a parameter: its internal name, with "_" for ".", or a name of the interface. */
function pageField(name: string, catalog: Catalog): CatalogField | undefined {
  const field = findField(catalog, name) ?? findField(catalog, name.replace("_", "."));
  const isOwn = field && [field.chart, field.chart.replaceAll(".", "_")].includes(name);
  return isOwn || INTERFACE.has(name) ? field : undefined;
}

/**
 * Pairs with complete rows only, numbered from 1, grouped if `j_top` joins them; groups are closed.
 * @throws BtError of kind usage for an unknown field, and for an incomplete row that a user typed
 */
function closedRows(pairs: readonly Pair[], catalog: Catalog, isTyped: boolean): readonly Pair[] {
  const [numbered, others] = partition(pairs, ([name]) => /^[fovnj]\d+$/.test(name));
  const rows = completeRows(numbered, catalog, isTyped);
  const [[joint], unnumbered] = partition(others, ([name]) => name === "j_top");
  if (joint && rows.length > 0) rows.unshift([["f", "OP"], ["j", joint[1]]]); // biome-ignore format: a row
  const count = (field: string) => rows.flat().filter(([letter, value]) => letter === "f" && value === field).length;
  for (let open = count("OP") - count("CP"); open > 0; open -= 1) rows.push([["f", "CP"]]);
  const sent = rows.flatMap((row, at) => row.map(([letter, value]): Pair => [`${letter}${at + 1}`, value]));
  return [...unnumbered, ...sent];
}

/** The rows that trackers do not ignore, as pairs of a letter and a value: `o` and "equals". */
function completeRows(numbered: readonly Pair[], catalog: Catalog, isTyped: boolean) {
  const rows = [...grouped(numbered, ([name]) => Number(name.slice(1)))].sort(([a], [b]) => a - b);
  return rows.flatMap(([number, pairs]) => {
    const row = pairs.map(([name, value]): Pair => {
      const isField = name.startsWith("f") && !/^(?:OP|CP|noop)$/.test(value);
      return [name.slice(0, 1), isField ? requireField(catalog, value).chart : value];
    });
    if (isComplete(row)) return [row]; // trackers refuse unknown operators
    if (!isTyped) return [];
    throw usageError(`row ${number} is incomplete: it needs f${number}, o${number} and v${number}`);
  });
}

function isComplete(row: readonly Pair[]): boolean {
  const { f, o, v } = Object.fromEntries(row);
  return f === "OP" || f === "CP" || Boolean(f && o && (v || /^is(?:not)?empty$/.test(o)));
}
