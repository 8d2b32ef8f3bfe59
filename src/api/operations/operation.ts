import type { ShownField, WireField } from "../../wire/bug-fields.ts";
import type { Json, Request } from "../../wire/exchange.ts";
import { MENTORS } from "../../wire/field-types.ts";

/**
 * One operation of the REST interface: name, route and parameters. Flags, help, completion and the reference derive
 * from the parameters.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/
 */
export type Operation<Row extends Parameter = Parameter> = {
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string; // parameters in braces
  readonly parameters: readonly Row[];
  /** Parameter that names several objects: the first fills the path; the others go in the query of a read, or the body of a write. */
  readonly list?: string;
};

/** An operation that reads, and has no flags. */
export function readOperation(name: string, path: string, list?: string): Operation {
  return { name, method: "GET", path, parameters: [], ...(list && { list }) };
}

/**
 * One parameter of the interface, as one row: its flag, its help, its place in the request and the way its value is read
 * all come from here. `name` is the specification's name.
 */
export type Parameter = {
  readonly name: string;
  readonly field?: WireField | null; // of bugs; absent: its name is the field
  readonly kind: ParameterKind;
  /** Kind of the items, when they are not plain text. */
  readonly of?: "people" | "bugs" | "choices" | "pages" | "groups" | "states and statuses";
  readonly about: string;
  readonly short?: string; // one letter
  readonly aliases?: readonly string[]; // further long flag names, without dashes
  readonly isExtra?: true; // beyond the specification: a search sends it only as a row
  readonly required?: boolean;
  readonly needsOne?: boolean; // an empty list would show more than is wanted
  readonly clears?: boolean; // "" is a value of its own: nobody
  readonly setsPlain?: boolean; // an edit whose plain value replaces the list
};

/** A parameter of bugs, about the field of its name, or about `field`; null if it is about no field, such as `limit`. */
export type BugParameter<Field extends WireField = WireField> = Parameter & {
  readonly compares?: SearchComparison; // of a search; absent: "value"
} & ({ readonly name: Field } | { readonly field: WireField | null });

/**
 * How a search parameter is compared: a `value` equals, a `login` is complete, a `part` occurs in the field, a `text` is the
 * whole field, a time is at or after `since`. Of these, Bugzilla reads logins, parts and texts as words.
 */
export type SearchComparison = "value" | "login" | "part" | "text" | "since";

/** A parameter of a write, which is about a field that bugs show. */
export type BugWriteParameter = BugParameter<ShownField & WireField>;

/** The field of bugs that a parameter is about; null for none, such as `limit`. */
export function fieldOf({ name, field }: BugParameter): WireField | null {
  return field === undefined ? (name as WireField) : field;
}

/**
 * Kind of value of a parameter. A `choice` is a value that the tracker's field metadata lists, a `person` a login name,
 * `prose` a long text that may come from a file or an editor, `pages` are addresses of bugs in any tracker; an `edit`
 * is `{add, remove, set}`, `links` the same without `set`, `tokens` a text of which single tokens can be added and
 * removed; `flags` are flag changes, `privacy` comments with a yes or no, a `switch` is true when given. Plurals are
 * lists.
 */
export type ParameterKind =
  | "text"
  | "texts"
  | "prose"
  | "choice"
  | "choices"
  | "person"
  | "people"
  | "int"
  | "ints"
  | "bug"
  | "bugs"
  | "pages"
  | "hours"
  | "bool"
  | "switch"
  | "date"
  | "datetime"
  | "edit"
  | "links"
  | "tokens"
  | "flags"
  | "privacy";

/** The flag name that a parameter's name gives: `assigned_to` is `--assigned-to`. */
export function commandFlagName(parameter: string): string {
  return parameter.replaceAll("_", "-");
}

/** The values of an operation's parameters by name; a list of pairs where a name may be repeated. Undefined is left out. */
type OperationValues = Readonly<Record<string, Json | undefined>> | readonly (readonly [name: string, value: Json])[];

/**
 * A request of the operation with these values. Bugzilla ignores the path of a write where it finds a list in the body.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#get-bug
 */
export function requestFor(operation: Operation, values: OperationValues = {}): Request {
  const { name, method, path: pattern, list = "" } = operation;
  const pairs = Array.isArray(values) ? (values as [string, Json][]) : Object.entries(values);
  const given = new Map(pairs);
  const objects = [given.get(list) ?? []].flat().map(String);
  const isGet = method === "GET";
  const first = (isGet ? objects.find(fitsInPath) : objects[0]) ?? "";
  const path = pattern.replace(/\{(\w+)\}/g, (_, part) => encodeURIComponent(String(given.get(part) ?? first)));
  const parameters = pairs.flatMap(([key, value]): [string, Json][] => {
    const namesObject = key === list || pattern.includes(`{${key}}`);
    return value === undefined || namesObject ? [] : [[key, value]];
  });
  if (isGet) {
    const others = objects.filter((object) => object !== first).map((object) => [list, object] as const);
    const query = parameters.flatMap(([key, value]) => [value].flat().map((item) => [key, String(item)] as const));
    return { operation: name, method, path, query: [...others, ...query] };
  }
  const all: [string, Json][] = objects.length > 1 ? [[list, given.get(list) ?? []]] : [];
  const members = [...all, ...parameters].map(
    ([key, value]) => [key === MENTORS.shown ? MENTORS.written : key, value] as const,
  );
  return { operation: name, method, path, query: [], body: Object.fromEntries(members) };
}

/** The query for objects that are given by ids or names. */
export function idsAndNames(refs: readonly string[]): Request["query"] {
  return refs.map((ref) => [/^[1-9]\d*$/.test(ref) ? "ids" : "names", ref]);
}

/** True for a name that servers accept as a segment of a path; other names only work in lists. */
export function fitsInPath(item: string): boolean {
  return /^(?!\.+$)[\w.~!$&'()*+,;=:@-]+$/.test(item);
}

/**
 * Sends a request and returns the JSON of the response.
 * @throws BtError for an error response
 */
export type SendRequest = ((request: Request) => Promise<Json>) & {
  /** How the tracker reads several objects; absent: by one request, which fails for one unknown object. */
  readonly lists?: ListReads;
};

/** How a tracker reads several objects. */
export type ListReads = {
  /** False if each object needs a request of its own. */
  readonly areSupported: () => Promise<boolean>;
  /** The ids of visible bugs among these. */
  readonly visible: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
};
