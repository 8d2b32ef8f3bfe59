import type { Json } from "../../wire/exchange.ts";
import type { Runtime } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { isStillReferenced, type SqlValue } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { SETUP_SHAPE } from "./document.ts";
import { idByName } from "./lookup.ts";
import { applySetup, type Setup } from "./setup.ts";
import { checkShape } from "./shape.ts";

/** One thing that an operation is told. The first required text is what it is about. */
export type AdminParameter = {
  readonly name: string;
  readonly kind: "text" | "secret" | "number" | "yes-no" | "list"; // a list is of texts; a secret is never on a command line
  readonly about: string;
  readonly isRequired?: boolean;
};

/** What an operation was told, by the names of its parameters. */
export type AdminArguments = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Where an operation works: the tracker, the clock, and bytes that cannot be guessed. */
export type AdminContext = { readonly store: Store; readonly runtime: Runtime };

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
  readonly run: (bench: AdminContext, given: AdminArguments) => Json;
  readonly page?: (result: Json) => string; // the result as people read it, where no table suits
};

/** A parameter that must be given. */
export function requiredParameter(name: string, about: string): AdminParameter {
  return { name, kind: "text", about, isRequired: true };
}

/** A parameter that must be given, and that nobody else may read. */
export function secretParameter(name: string, about: string): AdminParameter {
  return { name, kind: "secret", about, isRequired: true };
}

/** A parameter that may be given. */
export function optionalParameter(name: string, kind: AdminParameter["kind"], about: string): AdminParameter {
  return { name, kind, about };
}

/** A given text; empty when it was not given. */
export function textArgument(given: AdminArguments, name: string): string {
  return String(given[name] ?? "");
}

/** A given list; undefined when it was not given. */
export function listArgument(given: AdminArguments, name: string): readonly string[] | undefined {
  const value = given[name];
  return typeof value === "object" ? value : undefined;
}

/** Some of what was given, as it was given. */
export function pickArguments(given: AdminArguments, ...names: readonly string[]): AdminArguments {
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
}

/** How one is removed: SQL by its keys, and what still needs it: by what that is called, SQL by the keys that counts it. */
export type Removal = { readonly statements: readonly string[]; readonly uses?: Readonly<Record<string, string>> };

/** A kind of thing that an administrator keeps: what it is called, what is said of it, and how it is found and kept. */
export type ObjectKind = {
  readonly noun: string;
  readonly about: string; // "the users of the tracker"
  readonly within?: "product" | "field"; // what it belongs to, which is its first key
  readonly keys: readonly AdminParameter[]; // what tells one from another
  readonly parts: readonly AdminParameter[]; // what else is said of one
  readonly list: string; // SQL of the rows that are shown
  readonly find: string; // SQL that finds one by its keys
  readonly rename?: readonly string[]; // SQL that gives one another last key
  readonly remove?: Removal;
  readonly setup: (given: AdminArguments) => Setup; // what is said, as an arrangement
  readonly also?: (store: Store, given: AdminArguments) => void; // what an arrangement cannot say
};

/** The operations on one kind of thing: list them, add one, change one, remove one. */
export function objectOperations(kind: ObjectKind): readonly AdminOperation[] {
  return [
    {
      noun: kind.noun,
      verb: "list",
      about: `Lists ${kind.about}.`,
      parameters: [],
      changes: false,
      run: ({ store }) => store.all(kind.list),
    },
    {
      noun: kind.noun,
      verb: "add",
      about: `Adds one to ${kind.about}.`,
      parameters: [...kind.keys, ...kind.parts],
      changes: true,
      run: ({ store }, given) => {
        if (exists(store, kind, given)) {
          throw new Fault(400, 32000, `There is a ${kind.noun} named '${nameIn(kind, given)}' already.`);
        }
        return applyArguments(store, kind, given);
      },
    },
    {
      noun: kind.noun,
      verb: "change",
      about: `Changes one of ${kind.about}; what is not said stays.`,
      parameters: [
        ...kind.keys,
        ...kind.parts.map((part) => ({ ...part, isRequired: false })),
        ...(kind.rename === undefined ? [] : [optionalParameter("new_name", "text", "another name for it")]),
      ],
      changes: true,
      run: ({ store }, given) => {
        checkExists(store, kind, given);
        return applyArguments(store, kind, given);
      },
    },
    ...(kind.remove === undefined ? [] : [removeOperation(kind, kind.remove)]),
  ];
}

function removeOperation(kind: ObjectKind, { statements, uses = {} }: Removal): AdminOperation {
  return {
    noun: kind.noun,
    verb: "remove",
    about: `Removes one of ${kind.about}, unless something still uses it.`,
    parameters: kind.keys,
    changes: true,
    run: ({ store }, given) => {
      checkExists(store, kind, given);
      const [name, keys] = [nameIn(kind, given), keysIn(kind, given)];
      const users = Object.entries(uses).flatMap(([what, sql]) => {
        const [count] = Object.values(store.get(sql, keys) ?? {});
        return Number(count) === 0 ? [] : [`${what} (${count})`];
      });
      if (users.length > 0) throw inUse(kind, name, users.join(", "));
      try {
        for (const statement of statements) store.run(statement, keys);
      } catch (error) {
        throw isStillReferenced(error) ? inUse(kind, name, REFERENCES) : error;
      }
      return keys;
    },
  };
}

const REFERENCES = "bugs, or other parts of the setup";

function inUse(kind: ObjectKind, name: string, users: string): Fault {
  return new Fault(400, 32000, `The ${kind.noun} '${name}' is still used by: ${users}.`);
}

function lastKey({ keys }: ObjectKind): string {
  return keys.at(-1)?.name ?? "";
}

function nameIn(kind: ObjectKind, given: AdminArguments): string {
  return textArgument(given, lastKey(kind));
}

function keysIn({ keys }: ObjectKind, given: AdminArguments): Readonly<Record<string, SqlValue>> {
  return Object.fromEntries(keys.map(({ name }) => [name, textArgument(given, name)]));
}

function exists(store: Store, kind: ObjectKind, given: AdminArguments): boolean {
  return store.get(kind.find, keysIn(kind, given)) !== undefined;
}

function checkExists(store: Store, kind: ObjectKind, given: AdminArguments): void {
  if (!exists(store, kind, given)) throw new Fault(404, 51, `There is no ${kind.noun} named '${nameIn(kind, given)}'.`);
}

function applyArguments(store: Store, kind: ObjectKind, given: AdminArguments): AdminArguments {
  if (kind.within !== undefined) {
    idByName(store, kind.within, textArgument(given, kind.within)); // what it belongs to is not made by the way
  }
  const setup = kind.setup(given);
  checkShape(SETUP_SHAPE, setup as Json);
  applySetup(store, setup);
  const named = renamed(store, kind, given);
  kind.also?.(store, named);
  return named;
}

function renamed(store: Store, kind: ObjectKind, given: AdminArguments): AdminArguments {
  const { new_name: name = "", ...rest } = given;
  if (kind.rename === undefined || typeof name !== "string" || name.trim() === "") return rest;
  const key = lastKey(kind);
  const isSame = name.trim().toLowerCase() === nameIn(kind, given).toLowerCase();
  if (!isSame && exists(store, kind, { ...given, [key]: name.trim() })) {
    throw new Fault(400, 32000, `There is a ${kind.noun} named '${name.trim()}' already.`);
  }
  for (const statement of kind.rename) {
    store.run(statement, { ...keysIn(kind, given), new_name: name.trim() });
  }
  return { ...rest, [key]: name.trim() };
}
