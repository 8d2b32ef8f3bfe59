import type { Json } from "../../wire/exchange.ts";
import { Fault } from "../http/fault.ts";

/** Values allowed at a place in a document. */
export type Shape =
  | { readonly kind: "text" }
  | { readonly kind: "number" }
  | { readonly kind: "yes-no" }
  | { readonly kind: "word"; readonly words: readonly string[] }
  | { readonly kind: "list"; readonly of: Shape }
  | { readonly kind: "map"; readonly of: Shape } // any names
  | { readonly kind: "record"; readonly parts: Readonly<Record<string, Shape>>; readonly needs: readonly string[] }
  | { readonly kind: "named"; readonly record: Shape }; // a string is the record with that name only

/** A string. */
export const textShape: Shape = { kind: "text" };
/** An integer. */
export const numberShape: Shape = { kind: "number" };
/** `true` or `false`. */
export const booleanShape: Shape = { kind: "yes-no" };

/** One of these words. */
export function wordShape(...words: readonly string[]): Shape {
  return { kind: "word", words };
}

/** A list of values of one shape. */
export function listShape(of: Shape): Shape {
  return { kind: "list", of };
}

/** A mapping from any names to values of one shape. */
export function mapShape(of: Shape): Shape {
  return { kind: "map", of };
}

/** A mapping with these keys only; those in `needs` are required. */
export function recordShape(parts: Readonly<Record<string, Shape>>, ...needs: readonly string[]): Shape {
  return { kind: "record", parts, needs };
}

/** A record, or a string that stands for the record with that name and nothing else. */
export function namedShape(shape: Shape): Shape {
  return { kind: "named", record: shape };
}

/** Checks a document. @throws Fault 32000 with the first invalid place and what is expected there */
export function checkShape(shape: Shape, value: Json, place = ""): void {
  CHECKS[shape.kind](shape as never, value, place);
}

type Check<K extends Shape["kind"]> = (shape: Extract<Shape, { kind: K }>, value: Json, place: string) => void;

const CHECKS: { readonly [K in Shape["kind"]]: Check<K> } = {
  text: (_shape, value, place) =>
    want(typeof value === "string", place, "a string (quoted, if it looks like a number)"),
  number: (_shape, value, place) => want(Number.isSafeInteger(value), place, "an integer"),
  "yes-no": (_shape, value, place) => want(typeof value === "boolean", place, "true or false"),
  word: ({ words }, value, place) => want(words.includes(value as string), place, `one of ${words.join(", ")}`),
  list: ({ of }, value, place) => {
    want(Array.isArray(value), place, "a list");
    for (const [index, item] of (value as readonly Json[]).entries()) {
      checkShape(of, item, `${place}[${index}]`);
    }
  },
  map: ({ of }, value, place) => {
    for (const [name, item] of members(value, place)) {
      checkShape(of, item, join(place, name));
    }
  },
  record: ({ parts, needs }, value, place) => {
    for (const [name, item] of members(value, place)) {
      const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
      if (!part) throw wrong(place, `has an unknown key ${name}; valid values: ${Object.keys(parts).join(", ")}`);
      checkShape(part, item, join(place, name));
    }
    for (const name of needs) {
      if (!Object.hasOwn(Object(value), name)) throw wrong(join(place, name), "is missing");
    }
  },
  named: ({ record: shape }, value, place) => {
    if (typeof value !== "string") checkShape(shape, value, place);
  },
};

function members(value: Json, place: string): readonly (readonly [string, Json])[] {
  want(typeof value === "object" && value !== null && !Array.isArray(value), place, "a mapping");
  return Object.entries(value as object);
}

function join(place: string, name: string): string {
  return place === "" ? name : `${place}.${name}`;
}

function want(is: boolean, place: string, wanted: string): void {
  if (!is) throw wrong(place, `must be ${wanted}`);
}

function wrong(place: string, what: string): Fault {
  return new Fault(400, 32000, `${place || "the document"} ${what}.`);
}
