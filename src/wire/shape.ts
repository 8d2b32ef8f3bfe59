import { isObject } from "./json.ts";

/** The first place at which a value does not have its shape, and what is wrong there: "must be a list". */
export type Misfit = { readonly path: readonly (string | number)[]; readonly what: string };

/** Check of a value; undefined if it fits. */
export type Shape = (value: unknown) => Misfit | undefined;

/** Shapes of the members of an object. */
export type Members = Readonly<Record<string, Shape>>;

/** A value that meets a test; `wanted` completes "must be ...". */
export function testShape(test: (value: unknown) => boolean, wanted: string): Shape {
  const misfit = { path: [], what: `must be ${wanted}` };
  return (value) => (test(value) ? undefined : misfit);
}

/** A string. */
export const textShape = testShape(
  (value) => typeof value === "string",
  "a string (quoted, if it looks like a number)",
);
export const numberShape = testShape(Number.isSafeInteger, "an integer");
/** A number, integer or not. */
export const realShape = testShape((value) => typeof value === "number", "a number");
export const booleanShape = testShape((value) => typeof value === "boolean", "true or false");
/** `true` or `false`, or 1 or 0 as some trackers send them. */
export const looseBooleanShape = testShape(
  (value) => typeof value === "boolean" || typeof value === "number",
  "true or false",
);

export function wordShape(...words: string[]): Shape {
  return testShape((value) => words.includes(value as string), `one of ${words.join(", ")}`);
}

export function listShape(of: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value)) return NO_LIST;
    for (let at = 0; at < value.length; at += 1) {
      const misfit = of(value[at]);
      if (misfit) return misfitBelow(at, misfit);
    }
    return undefined;
  };
}

/** A mapping from any names to values of one shape. */
export function mapShape(of: Shape): Shape {
  return entriesShape(() => of);
}

/** A mapping whose values have the shapes of their names; names without one may have any value. */
export function entriesShape(shapeFor: (name: string) => Shape | undefined): Shape {
  return (value) => {
    if (!isObject(value)) return NO_MAPPING;
    for (const [name, item] of Object.entries(value)) {
      const misfit = shapeFor(name)?.(item);
      if (misfit) return misfitBelow(name, misfit);
    }
    return undefined;
  };
}

/** A mapping with these names only; those in `needs` are required. */
export function recordShape(members: Members, ...needs: string[]): Shape {
  const unknown = () => ({ path: [], what: `is unknown; valid names: ${Object.keys(members).join(", ")}` });
  const known = entriesShape((name) => (Object.hasOwn(members, name) ? members[name] : unknown));
  return (value) => {
    const missing = needs.find((name) => !Object.hasOwn(Object(value), name));
    return known(value) ?? (missing === undefined ? undefined : { path: [missing], what: "is missing" });
  };
}

/** A record, or a string that stands for the record with that name and nothing else. */
export function namedShape(record: Shape): Shape {
  return (value) => {
    if (isObject(value)) return record(value);
    return typeof value === "string" ? undefined : NO_NAME;
  };
}

/** A mapping of which these members are null or absent, unless they are in `needs`, or have their shape. */
export function partialShape(members: Members, ...needs: string[]): Shape {
  const names = Object.keys(members);
  const shapes = Object.values(members);
  const requires = names.map((name) => needs.includes(name));
  return (value) => {
    if (!isObject(value)) return NO_MAPPING;
    for (let at = 0; at < names.length; at += 1) {
      const name = names[at] as string; // an iterator over entries takes twice as long
      const item = value[name] ?? undefined;
      if (item === undefined && !requires[at]) continue;
      const misfit = shapes[at]?.(item);
      if (misfit) return misfitBelow(name, misfit);
    }
    return undefined;
  };
}

const NO_LIST: Misfit = { path: [], what: "must be a list" };
const NO_NAME: Misfit = { path: [], what: 'must be a name in quotes, such as "1.0", or a mapping with it' };
const NO_MAPPING: Misfit = { path: [], what: "must be a mapping" };

function misfitBelow(step: string | number, { path, what }: Misfit): Misfit {
  return { path: [step, ...path], what };
}

/** A misfit as a sentence: `products[0].versions must be a list`; `whole` names the value itself. */
export function misfitText({ path, what }: Misfit, whole: string): string {
  const place = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
  return `${place === "" ? whole : place.replace(/^\./, "")} ${what}`;
}
