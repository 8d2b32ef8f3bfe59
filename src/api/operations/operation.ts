import type { ShownField, WireField } from "../../wire/bug-fields.ts";
import type { Json, OperationName, Request } from "../../wire/exchange.ts";

/**
 * One operation of the REST interface: name, route and parameters. Flags, help, completion and the reference derive
 * from the parameters.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/
 */
export type Operation<Row extends Parameter = Parameter> = {
  readonly name: OperationName;
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string; // parameters in braces
  readonly parameters: readonly Row[];
  readonly isInternal?: true; // not in the specification's tables
  readonly build?: BuildRequest; // absent: `fillPath`
};

/**
 * One parameter of the interface, as one row: its flag, its help, its place in the request and the way its value is read
 * all come from here. `name` is the specification's name.
 */
export type Parameter = {
  readonly name: string;
  readonly field?: WireField | null; // the field of bugs that it is about; absent: the one of its name
  readonly kind: ParameterKind;
  /** Kind of the items, when they are not plain text. */
  readonly of?: "people" | "bugs" | "choices" | "pages" | "groups" | "states and statuses";
  readonly about: string;
  readonly short?: string; // one letter
  readonly aliases?: readonly string[]; // further long flag names, without dashes
  readonly isExtra?: true; // beyond the tables of the specification
  readonly required?: boolean;
  readonly needsOne?: boolean; // an empty list would show more than is wanted
  readonly clears?: boolean; // "" is a value of its own: nobody
  readonly setsPlain?: boolean; // an edit whose plain value replaces the list
};

/**
 * A parameter of bugs, which is about a row of `BUG_FIELDS`: the one of its name, or the `field` it names. One that is
 * about no field says `field: null`. `Field` has the rows that count for a name.
 */
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
export type OperationValues = Readonly<Record<string, Json | undefined>> | readonly Pair[];

export type BuildRequest = (values: readonly Pair[], operation: Operation) => RequestParts;

/** The parts of a request that an operation makes from its values. */
type RequestParts = Omit<Request, "operation" | "method">;

type Pair = readonly [name: string, value: Json];

export function requestFor(operation: Operation, values: OperationValues = {}): Request {
  const { name, method, build = fillPath } = operation;
  const pairs: readonly (readonly [string, Json | undefined])[] = Array.isArray(values)
    ? values
    : Object.entries(values);
  const given = pairs.filter((pair): pair is Pair => pair[1] !== undefined);
  return { operation: name, method, ...build(given, operation) };
}

/** Fills the path; other values go to the query of a GET, or to the body of a write, which a query would override. */
export const fillPath: BuildRequest = (values, operation) => {
  const rest = values.filter(([name]) => !operation.path.includes(`{${name}}`));
  return { path: filledPath(operation.path, values), ...queryOrBody(rest, operation) };
};

/** Builder for writes whose object is named in the path, and by a parameter of the body, too. */
export const nameInPathAndBody: BuildRequest = (values, operation) => ({
  path: filledPath(operation.path, values),
  ...queryOrBody(values, operation),
});

/**
 * Builder of reads of several objects: the first one that a path can hold fills it, the query has the others.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#get-bug
 */
export function listBesidePath(parameter: string): BuildRequest {
  return (values, operation) => {
    const items = parameterItems(parameter, values);
    if (items === undefined) return fillPath(values, operation);
    const inPath = items.find(fitsInPath) ?? "";
    const others = items.filter((item) => item !== inPath);
    const query = values.map(([name, value]) => [name, name === parameter ? others : value] as const);
    return {
      path: operation.path.replace(IN_BRACES, encodeURIComponent(inPath)),
      ...queryOrBody(query, operation),
    };
  };
}

/**
 * Builder of writes of one or several objects: the first one fills the path, the body of several has all of them, since
 * Bugzilla ignores the path where it finds a list there.
 */
export function listInBody(parameter: string): BuildRequest {
  return (values, operation) => {
    const items = parameterItems(parameter, values);
    if (items === undefined) return fillPath(values, operation);
    const body = items.length > 1 ? values : values.filter(([name]) => name !== parameter);
    return {
      path: operation.path.replace(IN_BRACES, encodeURIComponent(items[0] ?? "")),
      ...queryOrBody(body, operation),
    };
  };
}

function parameterItems(parameter: string, values: readonly Pair[]): string[] | undefined {
  const given = values.find(([name]) => name === parameter)?.[1];
  return given === undefined ? undefined : [given].flat().map(String);
}

/** True for a name that servers accept as a segment of a path; those with other characters are only found in lists. */
export function fitsInPath(item: string): boolean {
  return /^(?!\.+$)[\w.~!$&'()*+,;=:@-]+$/.test(item);
}

const IN_BRACES = /\{\w+\}/g;

function filledPath(path: string, values: readonly Pair[]): string {
  return path.replace(IN_BRACES, (part) => {
    const [, value] = values.find(([name]) => part === `{${name}}`) ?? [];
    return encodeURIComponent(String(value ?? ""));
  });
}

function queryOrBody(values: readonly Pair[], { method }: Operation): Omit<RequestParts, "path"> {
  if (method !== "GET") return { query: [], body: Object.fromEntries(values) };
  return { query: values.flatMap(([name, value]) => [value].flat().map((item) => [name, String(item)] as const)) };
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
  /** False: it takes a request for each object. */
  readonly areKnown: () => Promise<boolean>;
  /** Those of some ids that are of visible bugs. */
  readonly visible: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
};
