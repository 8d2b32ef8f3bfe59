import { isObject } from "./json.ts";

/** The first place at which a value does not have its shape, and what is wrong there: "must be a list". */
export type InvalidMember = { readonly path: readonly (string | number)[]; readonly what: string };

/** Check of a value; undefined if it fits. */
export type Shape = (value: unknown) => InvalidMember | undefined;

export type Members = Readonly<Record<string, Shape>>;

/** A value that meets a test; `wanted` completes "must be ...". */
export function testShape(test: (value: unknown) => boolean, wanted: string): Shape {
  const invalid = { path: [], what: `must be ${wanted}` };
  return (value) => (test(value) ? undefined : invalid);
}

export const textShape = testShape(
  (value) => typeof value === "string",
  "a string (quoted, if it looks like a number)",
);
export const numberShape = testShape(Number.isSafeInteger, "an integer");
export const realShape = testShape((value) => typeof value === "number", "a number");
export const booleanShape = testShape((value) => typeof value === "boolean", "true or false");
/** `true` or `false`, or 1 or 0 as some trackers send them. */
export const looseBooleanShape = testShape(
  (value) => typeof value === "boolean" || typeof value === "number",
  "true or false",
);
const mappingOfAnything = testShape(isObject, "a mapping");
const nameShape = testShape(
  (value) => typeof value === "string",
  'a name in quotes, such as "1.0", or a mapping with it',
);

export function wordShape(...words: string[]): Shape {
  return testShape((value) => words.includes(value as string), `one of ${words.join(", ")}`);
}

export function listShape(of: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value)) return { path: [], what: "must be a list" };
    for (let at = 0; at < value.length; at += 1) {
      const invalid = of(value[at]);
      if (invalid) return invalidBelow(at, invalid);
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
    if (!isObject(value)) return mappingOfAnything(value);
    for (const [key, item] of Object.entries(value)) {
      const invalid = shapeFor(key)?.(item);
      if (invalid) return invalidBelow(key, invalid);
    }
    return undefined;
  };
}

/** A mapping with these names only; those in `needs` are required. */
export function recordShape(members: Members, ...needs: string[]): Shape {
  const unknown = () => ({ path: [], what: `is unknown; valid names: ${Object.keys(members).join(", ")}` });
  const known = entriesShape((key) => (Object.hasOwn(members, key) ? members[key] : unknown));
  return (value) => {
    const missing = needs.find((key) => !Object.hasOwn(Object(value), key));
    return known(value) ?? (missing === undefined ? undefined : missingMember(missing));
  };
}

/** A mapping whose members have these shapes; members not in `needs` may be null or absent, and there may be others. */
export function partialShape(members: Members, ...needs: string[]): Shape {
  const shapes = new Map(Object.entries(members));
  return (value) => {
    if (!isObject(value)) return mappingOfAnything(value);
    for (const key of Object.keys(value)) {
      const item = value[key] ?? undefined;
      const invalid = item === undefined ? undefined : shapes.get(key)?.(item);
      if (invalid) return invalidBelow(key, invalid);
    }
    const missing = needs.find((key) => (value[key] ?? undefined) === undefined);
    return missing === undefined ? undefined : missingMember(missing);
  };
}

function missingMember(key: string): InvalidMember {
  return { path: [key], what: "is missing" };
}

/** A record, or a string that stands for the record with that name and nothing else. */
export function namedShape(record: Shape): Shape {
  return (value) => (isObject(value) ? record(value) : nameShape(value));
}

function invalidBelow(step: string | number, { path, what }: InvalidMember): InvalidMember {
  return { path: [step, ...path], what };
}

/** An invalid member as a sentence: `products[0].versions must be a list`; `whole` names the value itself. */
export function invalidMemberText({ path, what }: InvalidMember, whole: string): string {
  const place = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
  return `${place === "" ? whole : place.replace(/^\./, "")} ${what}`;
}
