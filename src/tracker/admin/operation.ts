import type { Json } from "../../wire/exchange.ts";
import type { Surroundings } from "../call.ts";
import type { Store } from "../store/store.ts";

/** One thing that an operation is told. The first required text is what it is about. */
export type AdminParameter = {
  readonly name: string;
  readonly kind: "text" | "secret" | "number" | "yes-no" | "list"; // a list is of texts; a secret is never on a command line
  readonly about: string;
  readonly isRequired?: boolean;
};

/** What an operation was told, by the names of its parameters. */
export type Given = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Where an operation works: the tracker, the clock, and bytes that cannot be guessed. */
export type Bench = { readonly store: Store; readonly surroundings: Surroundings };

/**
 * One thing that an administrator does, with all that help says of it. It answers rows for a table (`list`), a text
 * (`setup show`), or what it made; it runs inside a transaction and refuses with a Fault.
 */
export type AdminOperation = {
  readonly noun: string;
  readonly verb: string;
  readonly about: string;
  readonly parameters: readonly AdminParameter[];
  readonly changes: boolean; // whether it changes the tracker
  readonly run: (bench: Bench, given: Given) => Json;
  readonly page?: (result: Json) => string; // the result as people read it, where no table suits
};

/** A parameter that must be given. */
export function required(name: string, about: string): AdminParameter {
  return { name, kind: "text", about, isRequired: true };
}

/** A parameter that must be given, and that nobody else may read. */
export function secret(name: string, about: string): AdminParameter {
  return { name, kind: "secret", about, isRequired: true };
}

/** A parameter that may be given. */
export function optional(name: string, kind: AdminParameter["kind"], about: string): AdminParameter {
  return { name, kind, about };
}

/** A given text; empty when it was not given. */
export function textOf(given: Given, name: string): string {
  return String(given[name] ?? "");
}

/** A given list; undefined when it was not given. */
export function listOf(given: Given, name: string): readonly string[] | undefined {
  const value = given[name];
  return typeof value === "object" ? value : undefined;
}

/** Some of what was given, as it was given. */
export function pickGiven(given: Given, ...names: readonly string[]): Given {
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
}
