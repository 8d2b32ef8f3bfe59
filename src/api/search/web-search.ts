import { BtError } from "../../errors.ts";
import type { Family } from "../../wire/bug-field-row.ts";
import { OPERATORS, PERSON_ROLES } from "../../wire/search-names.ts";
import { type Catalog, type CatalogField, requireField } from "../catalog/catalog.ts";
import { legalValue, splitValues, statusNames } from "../catalog/legal-values.ts";
import { grouped } from "../lists.ts";
import { suggestNames } from "../nearest.ts";
import type { BugParameter } from "../operations/operation.ts";
import { draftChart, type OlderRow, olderRows, type QueryPair } from "../query/chart.ts";
import { readDate } from "../query/dates.ts";
import { checkQuicksearch } from "../query/quicksearch.ts";
import { reversedRangeError } from "../query/range.ts";
import { rowLogin } from "../query/resolve-change.ts";
import type { QueryContext } from "../query/tree.ts";
import { isInterfaceName, parameterField, searchPageName } from "./named-parameters.ts";
import { parameterOn } from "./parameters.ts";

/** A search of the search page, which is passed on. */
export type WebSearch = {
  readonly pairs: readonly QueryPair[]; // for a Bugzilla
  readonly plain: readonly QueryPair[] | undefined; // for a server of the interface alone; undefined if that has no words for it
  readonly statuses: readonly string[]; // that were chosen; Bugzilla drops one that it does not know
};

/** The parameters in the URL of a search page, or in its query string alone. */
export function urlParameters(url: string): QueryPair[] {
  const query = /^[^=&]*\?/.test(url) ? url.slice(url.indexOf("?") + 1) : url;
  return [...new URLSearchParams(query.replace(/#.*/s, ""))];
}

/** Parameters that are conditions: those with a value, other than layout, paging and credentials. */
export function conditionsIn(parameters: QueryPair[]): QueryPair[] {
  return parameters.filter(([name, value]) => !NO_CONDITION.has(name) && value !== "");
}

const NO_CONDITION: ReadonlySet<string> = new Set(
  `order limit offset query_format columnlist ctype format list_id known_name namedcmd query_based_on title tweak human
  regetlastlist debug cmdtype remaction remtype newqueryname api_key Bugzilla_api_key token Bugzilla_token include_fields
  exclude_fields`.split(/\s+/),
);

/** Parameters by name. */
type Named = ReadonlyMap<string, string[]>;

function pairsOf(name: string, values: readonly string[] = []): QueryPair[] {
  return values.map((value) => [name, value]);
}

/**
 * Checks the parameters of the search page: each name, and values that a tracker would drop or misread. What the REST
 * interface reads otherwise than the search page is replaced: that compares exactly, unless a type says otherwise.
 * @throws BtError of kind usage for an invalid parameter, and for a search without conditions
 */
export function webSearch(parameters: QueryPair[], context: QueryContext): WebSearch {
  const groups = grouped(conditionsIn(parameters), ([name]) => name);
  const named: Named = new Map([...groups].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]));
  const names = [...named.keys()].filter((name) => !FORMS.test(name) && !isTypeParameter(name, context.catalog));
  const fields = names.map((name) => fieldSearch(name, named, context));
  for (const text of named.get("quicksearch") ?? []) checkQuicksearch(text);
  const forms = [
    ...numberedRows(named, context),
    ...chartRows(named, context),
    ...peopleParameters(named),
    ...changeParameters(named, context),
    ...dateRange(["deadlinefrom", "deadlineto"], named, context),
    ...pairsOf("quicksearch", named.get("quicksearch")),
  ];
  const sent = [...forms, ...fields.flatMap(({ pairs = [] }) => pairs)];
  const rows = fields.flatMap(({ row = [] }) => row);
  if (sent.length + rows.length === 0) {
    const [, saved] = parameters.find(([name, value]) => name === "namedcmd" && value !== "") ?? [];
    throw new BtError("usage", "this search has no conditions and would match every bug", {
      hint:
        saved === undefined
          ? "for example: .../buglist.cgi?bug_status=CONFIRMED; --all matches every bug"
          : `a saved search: bt bug search --saved ${JSON.stringify(saved)}`,
    });
  }
  const isPlain = forms.every(([name]) => name === "quicksearch") && fields.every(({ plain }) => plain !== undefined);
  return {
    pairs: [...sent, ...olderRows(sent, rows)],
    plain: isPlain ? [...forms, ...fields.flatMap(({ plain = [] }) => plain)] : undefined,
    statuses: fields.flatMap(({ statuses = [] }) => statuses),
  };
}

const PERSON_ROLE_NAMES = [...PERSON_ROLES.keys()];
const FORMS = new RegExp(
  `^(?:[fovnj]\\d+|j_top|(?:field|type|value)\\d+-\\d+-\\d+|negate\\d+|email(?:type|${PERSON_ROLE_NAMES.join("|")})?\\d+|chfield(?:from|to|value)?|deadline(?:from|to)|quicksearch)$`,
);

/** Parameters for a condition on a field: the same one or an equivalent row, and those of the interface alone. */
type FieldSearch = {
  pairs?: QueryPair[];
  row?: OlderRow;
  plain: QueryPair[] | undefined;
  statuses?: readonly string[];
};

function fieldSearch(name: string, named: Named, context: QueryContext): FieldSearch {
  const field = requireParameter(name, context.catalog);
  const page = searchPageName(field);
  const [type] = named.get(`${page}_type`) ?? [];
  const given = named.get(name) ?? [];
  const o = checkedOperator(type ?? defaultOperator(field, name, given));
  const v = checkedValues(field, o, given);
  const plain = plainPairs({ field, name, type, values: v }, context.catalog);
  if (TIMES.includes(name)) return { pairs: pairsOf(name, v), plain };
  if (field.chart === "bug_status" && type === undefined) return { plain, ...statusSearch(v) };
  const isShared = parameterOn(field)?.name === page;
  const isMisread = ROWS.has(field.chart) || ROWS.has(field.family) || (isShared && !plain);
  const row = checkedRow({ f: field.chart, o, v }, context);
  if (row && (isMisread || row.o !== o)) return { row, plain };
  const blanks = v.filter((value) => meansNoResolution(value, field)); // which is an empty value to other servers
  if (isShared && plain) return { pairs: [...plain, ...pairsOf(page, blanks)], plain };
  const isTyped = type !== undefined || isWorded(field);
  return { pairs: [...pairsOf(page, v), ...pairsOf(`${page}_type`, isTyped ? [o] : [])], plain };
}

/** Bugzilla drops statuses that it does not know, and rejects a search without any other condition than all of them. */
function statusSearch(statuses: readonly string[]): Partial<FieldSearch> {
  if (statuses.includes("__all__")) return { row: { f: "bug_id", o: "greaterthan", v: ["0"] }, plain: [] };
  const isByName = statuses.every((status) => !status.startsWith("__"));
  return { pairs: pairsOf("bug_status", statuses), statuses: isByName ? statuses : [] };
}

/** @throws BtError of kind usage for a name that trackers ignore */
function requireParameter(name: string, catalog: Catalog): CatalogField {
  const field = parameterField(name, catalog);
  if (field) return field;
  const names = catalog.fields.flatMap(({ chart, api }) => (isInterfaceName(api) ? [chart, api] : [chart]));
  throw new BtError("usage", `unknown search parameter "${name}"; the tracker would ignore it`, {
    hint: suggestNames(name, names),
  });
}

/** True for the parameter with the operator of another one. */
function isTypeParameter(name: string, catalog: Catalog): boolean {
  return name.endsWith("_type") && !parameterField(name, catalog) && !!parameterField(name.slice(0, -5), catalog);
}

/** The search page compares exactly; names that only the REST interface has are compared as there. Lists have no pronouns. */
function defaultOperator(field: CatalogField, name: string, values: string[]): string {
  if (field.chart === "content") return "matches";
  const isOnPage = name === field.chart || name === searchPageName(field);
  const isPronoun = values.length === 1 && values[0]?.startsWith("%");
  return (isOnPage ? undefined : INTERFACE_OPERATORS[field.family]) ?? (isPronoun ? "equals" : "anyexact");
}

const INTERFACE_OPERATORS: Readonly<Partial<Record<Family, string>>> = {
  text: "allwordssubstr",
  person: "anywordssubstr",
  moment: "greaterthaneq",
};

/** Families and internal names of the fields that the REST interface compares otherwise, whatever the type. */
const ROWS: ReadonlySet<string> = new Set(["person", "people", "longdesc", "creation_ts", "delta_ts"]);

/** True for the fields whose parameters the REST interface compares by words unless they have a type. */
function isWorded(field: CatalogField): boolean {
  return field.chart === "keywords" || /^(?:part|text)$/.test(parameterOn(field)?.compares ?? "");
}

/** Parameters of the REST interface alone, which Bugzilla turns into rows behind the others. */
const TIMES = ["creation_time", "last_change_time"];

type Parameter = {
  field: CatalogField;
  name: string;
  type: string | undefined;
  values: readonly string[];
};

/** A parameter in the words of the interface; undefined if it means something else there. */
function plainPairs(parameter: Parameter, catalog: Catalog): QueryPair[] | undefined {
  const { field, values } = parameter;
  const own = parameterOn(field);
  if (own === undefined || !isAlike(own, parameter)) return undefined;
  const isList = own.compares === "login" || field.family === "number" || field.family === "texts";
  const items = values.map((value) => statusesOf(value, field, catalog) ?? (isList ? value.split(",") : [value]));
  if (items.some(({ length }) => length === 0)) return undefined;
  return items.flat().map((value) => [own.name, meansNoResolution(value, field) ? "" : value]);
}

function isAlike({ name: own, compares = "value" }: BugParameter, { name, type, values }: Parameter): boolean {
  if (compares === "login" && values.some((value) => value.startsWith("%"))) return false;
  if (type === undefined && name === own) return true;
  if (compares === "since") return false;
  if (compares !== "part") return type === undefined || type === "anyexact";
  const isOnePart = values.length === 1 && (type === "substring" || !/[\s,]/.test(values[0] ?? ""));
  return isOnePart && /^(?:substring|a(?:ll|ny)wordssubstr)$/.test(type ?? "");
}

/** The statuses that a word of the search page stands for; undefined for other values. */
function statusesOf(word: string, { chart }: CatalogField, catalog: Catalog): string[] | undefined {
  const [, state] = /^__(open|closed)__$/.exec(word) ?? [];
  return chart === "bug_status" && state ? statusNames(catalog, state as "open" | "closed") : undefined;
}

/** True for the word of the search page for bugs without a resolution. */
function meansNoResolution(word: string, { chart }: CatalogField): boolean {
  return chart === "resolution" && word === "---";
}

/** Complete rows of the custom search, renumbered without a gap, which would lose a row beside `TIMES`. */
function numberedRows(named: Named, context: QueryContext): QueryPair[] {
  const slots = suffixes(named, /^f(\d+)$/).map((number) => slotAt(number, named, context));
  const rows = slots.filter(([field]) => field !== undefined);
  const steps = rows.map(([field]) => ({ OP: 1, CP: -1 })[field?.[1] ?? ""] ?? 0);
  if (steps.every((step) => step !== 0)) return [];
  let depth = 0;
  for (const step of steps) {
    depth += step;
    if (depth < 0) throw new BtError("usage", 'unmatched "CP" row: no "OP" row opens the group');
  }
  const [joint] = named.get("j_top") ?? [];
  const isGroup = joint !== undefined && TIMES.some((name) => named.has(name));
  if (isGroup) rows.unshift([...pairsOf("f", ["OP"]), ...pairsOf("j", [joint])]);
  for (depth += isGroup ? 1 : 0; depth > 0; depth--) rows.push([["f", "CP"]]);
  const numbered = rows.map((row, at) => row.map(([letter, value]): QueryPair => [`${letter}${at + 1}`, value]));
  const pairs = numbered.flat();
  return joint && !isGroup ? [["j_top", joint], ...pairs] : pairs;
}

/** The letters and values of one number; none for a row that trackers skip. */
function slotAt(number: string, named: Named, context: QueryContext): readonly QueryPair[] {
  const part = (letter: string): string[] => named.get(letter + number) ?? [];
  const [f = ""] = part("f");
  const [o = ""] = part("o");
  const given = { f, o, v: part("v"), isNegated: isOn(part("n")) };
  const isGroup = f === "OP" || f === "CP";
  const row = isGroup ? { ...given, v: [] } : checkedRow(given, context);
  if (row === undefined) return [];
  const middle = isGroup ? pairsOf("j", part("j")) : pairsOf("o", [row.o]);
  return [["f", row.f], ...middle, ...pairsOf("n", row.isNegated ? ["1"] : []), ...pairsOf("v", row.v)];
}

/** Rows of the older form, `field0-1-2`: the numbers are chart (ANDed, may be negated), line (ANDed) and alternative. */
function chartRows(named: Named, context: QueryContext): QueryPair[] {
  const pairs: QueryPair[] = [];
  for (const place of suffixes(named, /^field(\d+-\d+-\d+)$/)) {
    const [f = "", o = ""] = ["field", "type"].map((part) => named.get(part + place)?.[0]);
    const row = checkedRow({ f, o, v: named.get(`value${place}`) ?? [] }, context);
    if (row?.isNegated) throw new BtError("usage", `trackers evaluate "${o}" on ${f} wrongly`, { hint: `use f1=${f}` });
    if (row) pairs.push([`field${place}`, row.f], [`type${place}`, row.o], [`value${place}`, row.v.join(",")]);
  }
  const charts = new Set(pairs.map(([name]) => /^field(\d+)/.exec(name)?.[1]));
  const negations = [...charts].map((chart) => `negate${chart}`).filter((name) => isOn(named.get(name)));
  return [...pairs, ...negations.flatMap((name) => pairsOf(name, ["1"]))];
}

/** Ends of the names that a pattern matches, such as `0-1-2` of `field0-1-2`, in the order of their first numbers. */
function suffixes(named: Named, name: RegExp): string[] {
  const found = [...named.keys()].flatMap((one) => name.exec(one)?.[1] ?? []);
  return found.sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));
}

function isOn(values: string[] | undefined): boolean {
  return values !== undefined && (values[0] ?? "0") !== "0";
}

/** A row with checked names and values; undefined if it is incomplete, since trackers skip such a row. */
function checkedRow({ f, o, v, isNegated = false }: OlderRow, context: QueryContext): OlderRow | undefined {
  const isEmpty = EMPTY.test(o);
  if (f === "" || o === "" || (v.join("").trim() === "" && !isEmpty)) return undefined;
  const field = requireField(context.catalog, f);
  const values = checkedValues(field, checkedOperator(o), v);
  const named = values.map((value) => rowLogin(value, { field, operator: o }, context));
  const row = { f: field.chart, o, v: named, isNegated };
  return isEmpty ? emptyRow(row, field) : affirmativeRow(row);
}

const EMPTY = /^is(?:not)?empty$/;

/** Bugzilla finds every bug or none by `isempty` of some fields. */
function emptyRow(row: OlderRow, field: CatalogField): OlderRow {
  if (field.chart === "longdesc") throw new BtError("usage", "comment is never empty");
  const { chart } = draftChart({ kind: "test", field, op: "empty", values: [] }, {});
  const test = chart.kind === "not" ? chart.of : chart;
  if (test.kind !== "row" || (test === chart && test.f === row.f)) return row;
  const isNegated = [row.isNegated, row.o === "isnotempty", test !== chart].filter(Boolean).length % 2 === 1;
  return { f: test.f, o: test.o, v: test.v, isNegated };
}

/** Bugzilla finds only bugs that have an alias or a flag by a negative operator on these. */
function affirmativeRow(row: OlderRow): OlderRow {
  if (!/^no/.test(row.o) || !["alias", "flagtypes.name"].includes(row.f)) return row;
  return { ...row, o: row.o.replace("nowords", "anywords").replace("not", ""), isNegated: !row.isNegated };
}

const ALL_OPERATORS: readonly string[] = Object.values(OPERATORS).flat();

function checkedOperator(operator: string): string {
  if (ALL_OPERATORS.includes(operator)) return operator;
  throw new BtError("usage", `unknown operator "${operator}" in the custom search`, {
    hint: suggestNames(operator, ALL_OPERATORS),
  });
}

/**
 * Values in the tracker's spelling.
 * @throws BtError of kind usage for an unknown value, and a date that trackers cannot read
 */
function checkedValues(field: CatalogField, operator: string, values: readonly string[]): readonly string[] {
  const isDate = /^(?:day|moment)$/.test(field.family) && /^(?:less|greater)than/.test(operator);
  if (isDate || /^changed(?:before|after)$/.test(operator)) for (const value of values) checkDate(value);
  if (!EQUAL.test(operator) || !/^(?:choices?|ranked)$/.test(field.family)) return values;
  const isWord = (value: string): boolean => value === "---" || /^(?:__\w+__|%\w+%)?$/.test(value);
  return values.map((text) => {
    const words = /words$/.test(operator) ? text.split(/[\s,]+/) : splitValues(text, field);
    return words.map((word) => (isWord(word) ? word : legalValue(field, word))).join(",");
  });
}

const EQUAL = /^(?:(?:not)?equals|anyexact|(?:any|all|no)words|changed(?:from|to))$/;

/** Checked parameters of the forms of people: a name, how to compare it, and the roles of which one has to match. */
function peopleParameters(named: Named): QueryPair[] {
  const pairs: QueryPair[] = [];
  for (const number of suffixes(named, /^email(\d+)$/)) {
    const [login = ""] = named.get(`email${number}`) ?? [];
    if (login.trim() === "") continue;
    const roles = PERSON_ROLE_NAMES.map((role) => `email${role}${number}`).filter((role) => isOn(named.get(role)));
    if (roles.length === 0) throw noEffectError(`email${number}`, `emailassigned_to${number}=1 or another role`);
    const [type] = named.get(`emailtype${number}`) ?? [];
    if (type && type !== "exact") checkedOperator(type);
    pairs.push([`email${number}`, login], ...roles.map((role): QueryPair => [role, "1"]));
    if (type) pairs.push([`emailtype${number}`, type]);
  }
  return pairs;
}

function noEffectError(name: string, partner: string): BtError {
  return new BtError("usage", `"${name}" has no effect alone; the tracker would ignore it`, { hint: `add ${partner}` });
}

/** Checked parameters of the form of changes. Dates alone are about the last change; "now" is no limit. */
function changeParameters(named: Named, context: QueryContext): QueryPair[] {
  const dates = dateRange(["chfieldfrom", "chfieldto"], named, context);
  const [value] = named.get("chfieldvalue") ?? [];
  const fields = (named.get("chfield") ?? []).map((name) => {
    if (name.toLowerCase() === "[bug creation]") return "[Bug creation]";
    const field = requireField(context.catalog, name);
    if (value) checkedValues(field, "changedto", [value]);
    return field.chart;
  });
  if (fields.length === 0 && value) throw noEffectError("chfieldvalue", "chfield");
  if (fields.length > 0 && !value && dates.length === 0) throw noEffectError("chfield", "chfieldfrom or chfieldvalue");
  const pairs = [...pairsOf("chfield", fields), ...dates];
  if (value) pairs.push(["chfieldvalue", value]);
  return pairs;
}

/** Two parameters with the first and the last date. */
function dateRange(names: [string, string], named: Named, context: QueryContext): QueryPair[] {
  const [from = "", to = ""] = names.map((name) => named.get(name)?.[0]);
  const [start, end] = [periodOf(from, context), periodOf(to, context)];
  if (start && end && start.start >= end.end) throw reversedRangeError(from, to);
  const limits = names
    .map((name, at): QueryPair => [name, [from, to][at] ?? ""])
    .filter(([, date]) => !/^(?:now)?$/i.test(date));
  for (const [, date] of limits) checkDate(date);
  return limits;
}

/** A date of the search page; undefined for one that only trackers can read. */
function periodOf(text: string, context: QueryContext) {
  const [, ago, unit] = /^([+-]?\d+)([hdwmy])$/i.exec(text) ?? [];
  if (ago && unit) return readDate(`${ago}${/m/i.test(unit) ? "mo" : unit}`, context);
  return /^(?:now|\d{4}-\d\d-\d\d.*)$/i.test(text) ? readDate(text, context) : undefined;
}

/** Trackers compare a date that they cannot read as text, and so find every bug or none. */
function checkDate(text: string): void {
  if (SERVER_DATE.test(text)) return;
  throw new BtError("usage", `invalid date "${text}": the tracker would compare it as text`, {
    hint: "use 2026-10-03, 2026-10-03 14:00, -2w, 1ws (h d w m y) or now",
  });
}

const SERVER_DATE = /^(?:now|%\w+%|[+-]?\d+[hdwmy]s?|\d{4}-\d\d?-\d\d?(?:[T ]\d\d?:\d\d(?::\d\d)?Z?)?)$/i;
