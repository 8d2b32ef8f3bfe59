import { BtError } from "../../errors.ts";
import { PERSON_ROLES } from "../../wire/search-names.ts";
import type { QueryPair } from "../query/chart.ts";
import { allOf, notOf, type Query, type QueryContext } from "../query/tree.ts";
import { CHANGE_FORM, changeFormMeaning, checkOrder, peopleFormMeaning, peopleFormOf } from "./forms.ts";
import { DUE_DAYS, type OtherParameters, parameterMeaning } from "./parameters.ts";
import { decodeRows, isRowPart, isWrongRow } from "./rows.ts";

/**
 * A search of the web interface. `tree` is its equivalent in the query language, if all of it has one; else `pairs` are
 * sent unchanged, after their names were validated.
 */
export type ForeignSearch = {
  readonly pairs: readonly QueryPair[];
  readonly tree: Query | undefined;
  readonly known: readonly Query[]; // without a tree: the conditions that have an equivalent
  readonly order: string | undefined; // the `order` parameter
};

/** Parses the URL of a search in the web interface, or its query string alone. */
export function searchFromUrl(url: string, context: QueryContext): ForeignSearch {
  const query = /^[^=&]*\?/.test(url) ? url.slice(url.indexOf("?") + 1) : url;
  const [text = ""] = query.split("#");
  return searchFromParameters([...new URLSearchParams(text)], context);
}

/**
 * Parses search parameters of the web form: rows of the custom search, plain parameters, forms for changes and people.
 * Dates are in the zone of the context, which should be the server's. Empty parameters are ignored.
 * @throws BtError of kind usage for unknown parameters, and for a search without conditions
 */
export function searchFromParameters(pairs: readonly QueryPair[], context: QueryContext): ForeignSearch {
  const said = pairs.filter(([name, value]) => !NO_CONDITION.has(name) && value !== "");
  const old = modernRows(said);
  const rows = decodeRows(old.length > 0 ? old : said, context);
  const plain = said.filter(([name]) => !isRowPart(name) && !isOldRowPart(name));
  const meanings = [rows.tree, ...plainMeanings(plain, context)];
  if (rows.pairs.length === 0 && plain.length === 0) {
    throw new BtError("usage", "this search has no conditions and would match every bug", {
      hint: "for example: .../buglist.cgi?bug_status=CONFIRMED; --all matches every bug",
    });
  }
  const tree = meanings.every((meaning) => meaning !== undefined) ? allOf(meanings) : undefined;
  return {
    pairs: tree === undefined ? [...rows.pairs, ...asOnTheWeb(plain)] : [],
    tree,
    known: tree === undefined ? [...rows.known, ...meanings.filter((one) => one !== undefined)] : [],
    order: pairs.find(([name, value]) => name === "order" && value !== "")?.[1],
  };
}

/** Adds exact types: the search page compares exactly by default, unlike Search Bugs, which has none for people. */
function asOnTheWeb(plain: readonly QueryPair[]): readonly QueryPair[] {
  const names = new Set(plain.map(([name]) => name));
  const role = ROLES.find((name) => names.has(name));
  if (role !== undefined) throw notBeside(role, "equals");
  for (const [name, operator] of plain.filter(([name]) => /_type$/.test(name))) {
    const field = name.replace(/_type$/, "").replace("_name", ".name");
    if (names.has(field.replace(".", "_")) && isWrongRow(field, operator)) throw notBeside(field, operator);
  }
  const untyped = TYPED.filter((name) => names.has(name) && !names.has(`${name}_type`));
  return [...plain, ...untyped.map((name) => [`${name}_type`, "anyexact"] as const)];
}

function notBeside(name: string, operator: string): BtError {
  return new BtError("usage", `${name} cannot be combined with the unsupported conditions of this search`, {
    hint: `use a row of the custom search: f1=${name}&o1=${operator}&v1=...`,
  });
}

const ROLES = [...PERSON_ROLES.keys()].filter((role) => role !== "longdesc");
const TYPED = ["short_desc", "longdesc", "status_whiteboard", "bug_file_loc", "keywords"] as const;

/** Parameters of the web page that are not conditions: layout, paging, user. */
const NO_CONDITION: ReadonlySet<string> = new Set([
  ...["order", "limit", "offset", "query_format", "columnlist", "ctype", "format", "list_id", "known_name", "namedcmd"],
  ...[
    "query_based_on",
    "title",
    "tweak",
    "human",
    "regetlastlist",
    "debug",
    "cmdtype",
    "remaction",
    "remtype",
    "newqueryname",
  ],
  ...[
    "api_key",
    "Bugzilla_api_key",
    "token",
    "Bugzilla_token",
    "include_fields",
    "exclude_fields",
    "classification_type",
  ],
]);

function plainMeanings(plain: readonly QueryPair[], context: QueryContext): readonly (Query | undefined)[] {
  const others = byName(plain);
  const forms = new Set(plain.flatMap(([name]) => peopleFormOf(name) ?? []));
  const hasChangeForm = CHANGE_FORM.some((name) => others.has(name));
  const [from = "", to = ""] = DUE_DAYS.map((name) => others.get(name)?.[0]);
  checkOrder(from, to, context);
  const single = [...others.keys()].filter((name) => !isPartOfForm(name, others));
  return [
    ...single.map((name) => plainMeaning(name, others, context)),
    ...[...forms].map((number) => peopleFormMeaning(others, number, context)),
    ...(hasChangeForm ? [changeFormMeaning(others, context)] : []),
  ];
}

function byName(pairs: readonly QueryPair[]): OtherParameters {
  const found = new Map<string, readonly string[]>();
  for (const [name, value] of pairs) found.set(name, [...(found.get(name) ?? []), value]);
  return found;
}

/** True for a `..._type` parameter, which qualifies its field and means nothing alone. */
function isPartOfForm(name: string, others: OtherParameters): boolean {
  return (
    (CHANGE_FORM as readonly string[]).includes(name) ||
    peopleFormOf(name) !== undefined ||
    (/_type$/.test(name) && others.has(name.replace(/_type$/, "")))
  );
}

function plainMeaning(name: string, others: OtherParameters, context: QueryContext): Query | undefined {
  const values = others.get(name) ?? [];
  if (/_type$/.test(name)) return allOf([]);
  const meaning = parameterMeaning({ name, values }, others, context);
  const isWithout = name === "bug_id" && others.get("bug_id_type")?.[0] === "nowords";
  return meaning !== undefined && isWithout ? notOf(meaning) : meaning;
}

/** True for parameters of the old custom search form: `field0-0-0`, `type0-0-0`, `value0-0-0`, `negate0`. */
function isOldRowPart(name: string): boolean {
  return OLD_PART.test(name) || /^negate\d+$/.test(name);
}

/**
 * The old form as numbered rows. In `field2-1-0` the numbers are chart (ANDed, each may be negated), line (ANDed) and
 * alternative (ORed).
 */
function modernRows(pairs: readonly QueryPair[]): readonly QueryPair[] {
  const found = new Map(pairs.filter(([name]) => isOldRowPart(name)));
  const places = [...found.keys()].flatMap((name) => placeOf(name) ?? []).sort(byPlace);
  const slots = distinct(places.map(([chart]) => chart)).flatMap((chart) => {
    const lines = distinct(places.filter(([one]) => one === chart).map(([, line]) => line));
    const inside = lines.flatMap((line) => [
      [
        ["f", "OP"],
        ["j", "OR"],
      ],
      ...places.filter(([one, other]) => one === chart && other === line).map((place) => rowAt(place, found)),
      [["f", "CP"]],
    ]);
    const negation = found.get(`negate${chart}`) === "1" ? [["n", "1"]] : [];
    return [[["f", "OP"], ...negation], ...inside, [["f", "CP"]]];
  });
  return slots.flatMap((slot, index) =>
    slot.map(([letter, value]): QueryPair => [`${letter}${index + 1}`, value ?? ""]),
  );
}

type Place = readonly [chart: number, line: number, alternative: number];

const OLD_PART = /^(?:field|type|value)(\d+)-(\d+)-(\d+)$/;

function placeOf(name: string): readonly Place[] | undefined {
  const [, chart, line, alternative] = /^field/.test(name) ? (OLD_PART.exec(name) ?? []) : [];
  return chart === undefined ? undefined : [[Number(chart), Number(line), Number(alternative)]];
}

function byPlace(one: Place, other: Place): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

function rowAt(place: Place, found: ReadonlyMap<string, string>): readonly (readonly string[])[] {
  const part = (name: string): string => found.get(`${name}${place.join("-")}`) ?? "";
  return [
    ["f", part("field")],
    ["o", part("type")],
    ["v", part("value")],
  ];
}

function distinct(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)];
}
