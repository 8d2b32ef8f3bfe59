/**
 * One parameter of the interface, as one row: its flag, its help, its place in the request and the way its value is read
 * all come from here. `name` is the specification's name.
 */
export type Parameter = {
  readonly name: string;
  readonly kind: ParameterKind;
  readonly of?: "people" | "bugs" | "choices" | "pages"; // what the items of an edit are, when they are not plain text
  readonly about: string;
  readonly short?: string; // one letter
  readonly aliases?: readonly string[]; // further long flag names, without dashes
  readonly required?: boolean;
  readonly needsOne?: boolean; // an empty list would show more than is wanted
  readonly clears?: boolean; // "" is a value of its own: nobody
};

/**
 * What a parameter holds. A `choice` is a value that the tracker's field metadata lists, a `person` a login name, `prose`
 * a long text that may come from a file or an editor, `pages` are addresses of bugs in any tracker; an `edit` is `{add, remove, set}`, `links` the same without `set`, `tokens` a text of which single tokens can be added and removed;
 * `flags` are flag changes, `privacy` comments with a yes or no, a `switch` is true when given. Plurals are lists.
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
export function flagName(parameter: string): string {
  return parameter.replaceAll("_", "-");
}
