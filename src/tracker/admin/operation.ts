import type { Json } from "../../wire/exchange.ts";
import type { Runtime } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { isStillReferenced, type SqlValue } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { SETUP_SHAPE } from "./document.ts";
import { idByName } from "./lookup.ts";
import { applySetup, type Setup } from "./setup.ts";
import { checkShape } from "./shape.ts";

/** Parameter of an admin operation; the first required text names the object. */
export type AdminParameter = {
  readonly name: string;
  readonly kind: "text" | "secret" | "number" | "yes-no" | "list"; // list: of strings; secret: never on a command line
  readonly about: string;
  readonly isRequired?: boolean;
};

/** Arguments by parameter name. */
export type AdminArguments = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Store and runtime (clock, randomness) of an admin operation. */
export type AdminContext = { readonly store: Store; readonly runtime: Runtime };

/**
 * An admin operation with its help. `run` returns rows for a table (`list`), text (`setup show`) or the object created or
 * changed; it runs inside a transaction.
 * @throws Fault if the arguments are invalid or the object is missing or in use
 */
export type AdminOperation = {
  readonly noun: string;
  readonly verb: string;
  readonly about: string;
  readonly parameters: readonly AdminParameter[];
  readonly isWrite: boolean; // true if it writes
  readonly run: (context: AdminContext, args: AdminArguments) => Json;
  readonly toText?: (result: Json) => string; // result as text, instead of a table
};

/** A required text parameter. */
export function requiredParameter(name: string, about: string): AdminParameter {
  return { name, kind: "text", about, isRequired: true };
}

/** A required parameter that is prompted for or read from stdin. */
export function secretParameter(name: string, about: string): AdminParameter {
  return { name, kind: "secret", about, isRequired: true };
}

/** An optional parameter. */
export function optionalParameter(name: string, kind: AdminParameter["kind"], about: string): AdminParameter {
  return { name, kind, about };
}

/** Text of an argument; "" if missing. */
export function textArgument(args: AdminArguments, name: string): string {
  return String(args[name] ?? "");
}

/** List of an argument; undefined if missing. */
export function listArgument(args: AdminArguments, name: string): readonly string[] | undefined {
  const value = args[name];
  return typeof value === "object" ? value : undefined;
}

/** The arguments with these names. */
export function pickArguments(args: AdminArguments, ...names: readonly string[]): AdminArguments {
  return Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)));
}

/** SQL that removes an object by its keys; `uses` counts what still refers to it, by the description in the error. */
export type Removal = { readonly statements: readonly string[]; readonly uses?: Readonly<Record<string, string>> };

/** A kind of object with the operations list, add, change and remove. */
export type ObjectKind = {
  readonly noun: string;
  readonly about: string; // "the users of the tracker"
  readonly within?: "product" | "field"; // parent object; its name is the first key
  readonly keys: readonly AdminParameter[]; // identifying parameters
  readonly parts: readonly AdminParameter[]; // other parameters
  readonly list: string; // SQL of the rows of `list`
  readonly find: string; // SQL that finds an object by its keys
  readonly rename?: readonly string[]; // SQL that changes the last key to @new_name
  readonly remove?: Removal;
  readonly setup: (args: AdminArguments) => Setup; // the arguments as setup
  readonly after?: (store: Store, args: AdminArguments) => void; // further changes, after the setup is applied
};

/** The operations list, add, change and remove (if possible) of one kind of object. */
export function objectOperations(kind: ObjectKind): readonly AdminOperation[] {
  return [
    {
      noun: kind.noun,
      verb: "list",
      about: `List ${kind.about}.`,
      parameters: [],
      isWrite: false,
      run: ({ store }) => store.all(kind.list),
    },
    {
      noun: kind.noun,
      verb: "add",
      about: `Create a ${kind.noun}.`,
      parameters: [...kind.keys, ...kind.parts],
      isWrite: true,
      run: ({ store }, args) => {
        if (exists(store, kind, args)) {
          throw new Fault(400, 32000, `A ${kind.noun} named '${nameIn(kind, args)}' already exists.`);
        }
        return applyArguments(store, kind, args);
      },
    },
    {
      noun: kind.noun,
      verb: "change",
      about: `Update a ${kind.noun}; omitted values stay unchanged.`,
      parameters: [
        ...kind.keys,
        ...kind.parts.map((part) => ({ ...part, isRequired: false })),
        ...(kind.rename === undefined ? [] : [optionalParameter("new_name", "text", "new name")]),
      ],
      isWrite: true,
      run: ({ store }, args) => {
        checkExists(store, kind, args);
        return applyArguments(store, kind, args);
      },
    },
    ...(kind.remove === undefined ? [] : [removeOperation(kind, kind.remove)]),
  ];
}

function removeOperation(kind: ObjectKind, { statements, uses = {} }: Removal): AdminOperation {
  return {
    noun: kind.noun,
    verb: "remove",
    about: `Delete a ${kind.noun} that is not in use.`,
    parameters: kind.keys,
    isWrite: true,
    run: ({ store }, args) => {
      checkExists(store, kind, args);
      const [name, keys] = [nameIn(kind, args), keysIn(kind, args)];
      const usedBy = Object.entries(uses).flatMap(([user, sql]) => {
        const [count] = Object.values(store.get(sql, keys) ?? {});
        return Number(count) === 0 ? [] : [`${user} (${count})`];
      });
      if (usedBy.length > 0) throw inUse(kind, name, usedBy.join(", "));
      try {
        for (const statement of statements) store.run(statement, keys);
      } catch (error) {
        throw isStillReferenced(error) ? inUse(kind, name, REFERENCES) : error;
      }
      return keys;
    },
  };
}

const REFERENCES = "bugs, or other setup objects";

function inUse(kind: ObjectKind, name: string, usedBy: string): Fault {
  return new Fault(400, 32000, `The ${kind.noun} '${name}' is still in use by: ${usedBy}.`);
}

function lastKey({ keys }: ObjectKind): string {
  return keys.at(-1)?.name ?? "";
}

function nameIn(kind: ObjectKind, args: AdminArguments): string {
  return textArgument(args, lastKey(kind));
}

function keysIn({ keys }: ObjectKind, args: AdminArguments): Readonly<Record<string, SqlValue>> {
  return Object.fromEntries(keys.map(({ name }) => [name, textArgument(args, name)]));
}

function exists(store: Store, kind: ObjectKind, args: AdminArguments): boolean {
  return store.get(kind.find, keysIn(kind, args)) !== undefined;
}

function checkExists(store: Store, kind: ObjectKind, args: AdminArguments): void {
  if (!exists(store, kind, args)) throw new Fault(404, 51, `There is no ${kind.noun} named '${nameIn(kind, args)}'.`);
}

function applyArguments(store: Store, kind: ObjectKind, args: AdminArguments): AdminArguments {
  if (kind.within !== undefined) {
    idByName(store, kind.within, textArgument(args, kind.within)); // a missing parent is an error, not created
  }
  const setup = kind.setup(args);
  checkShape(SETUP_SHAPE, setup as Json);
  applySetup(store, setup);
  const updated = rename(store, kind, args);
  kind.after?.(store, updated);
  return updated;
}

function rename(store: Store, kind: ObjectKind, args: AdminArguments): AdminArguments {
  const { new_name: name = "", ...rest } = args;
  if (kind.rename === undefined || typeof name !== "string" || name.trim() === "") return rest;
  const key = lastKey(kind);
  const isSame = name.trim().toLowerCase() === nameIn(kind, args).toLowerCase();
  if (!isSame && exists(store, kind, { ...args, [key]: name.trim() })) {
    throw new Fault(400, 32000, `A ${kind.noun} named '${name.trim()}' already exists.`);
  }
  for (const statement of kind.rename) {
    store.run(statement, { ...keysIn(kind, args), new_name: name.trim() });
  }
  return { ...rest, [key]: name.trim() };
}
