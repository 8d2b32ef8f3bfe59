import type { Json } from "../../wire/exchange.ts";
import { Fault } from "../fault.ts";
import { idOf } from "../setup/lookup.ts";
import { applySetup, type Setup } from "../setup/setup.ts";
import { isStillReferenced, type Value } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { type AdminOperation, type AdminParameter, type Given, optional, textOf } from "./operation.ts";
import { SETUP_SHAPE } from "./setup-shape.ts";
import { checkShape } from "./shape.ts";

/** How one is removed: SQL by its keys, and what still needs it: by what that is called, SQL by the keys that counts it. */
export type Removal = { readonly statements: readonly string[]; readonly uses?: Readonly<Record<string, string>> };

/** A kind of thing that an administrator keeps: what it is called, what is said of it, and how it is found and kept. */
export type Kind = {
  readonly noun: string;
  readonly about: string; // "the users of the tracker"
  readonly within?: "product" | "field"; // what it belongs to, which is its first key
  readonly keys: readonly AdminParameter[]; // what tells one from another
  readonly parts: readonly AdminParameter[]; // what else is said of one
  readonly list: string; // SQL of the rows that are shown
  readonly find: string; // SQL that finds one by its keys
  readonly rename?: readonly string[]; // SQL that gives one another last key
  readonly remove?: Removal;
  readonly setup: (given: Given) => Setup; // what is said, as an arrangement
  readonly also?: (store: Store, given: Given) => void; // what an arrangement cannot say
};

/** The operations on one kind of thing: list them, add one, change one, remove one. */
export function operationsOf(kind: Kind): readonly AdminOperation[] {
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
        if (found(store, kind, given)) {
          throw new Fault(400, 32000, `There is a ${kind.noun} named '${nameIn(kind, given)}' already.`);
        }
        return apply(store, kind, given);
      },
    },
    {
      noun: kind.noun,
      verb: "change",
      about: `Changes one of ${kind.about}; what is not said stays.`,
      parameters: [
        ...kind.keys,
        ...kind.parts.map((part) => ({ ...part, isRequired: false })),
        ...(kind.rename === undefined ? [] : [optional("new_name", "text", "another name for it")]),
      ],
      changes: true,
      run: ({ store }, given) => {
        checkFound(store, kind, given);
        return apply(store, kind, given);
      },
    },
    ...(kind.remove === undefined ? [] : [removal(kind, kind.remove)]),
  ];
}

function removal(kind: Kind, { statements, uses = {} }: Removal): AdminOperation {
  return {
    noun: kind.noun,
    verb: "remove",
    about: `Removes one of ${kind.about}, unless something still uses it.`,
    parameters: kind.keys,
    changes: true,
    run: ({ store }, given) => {
      checkFound(store, kind, given);
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

function inUse(kind: Kind, name: string, users: string): Fault {
  return new Fault(400, 32000, `The ${kind.noun} '${name}' is still used by: ${users}.`);
}

function lastKey({ keys }: Kind): string {
  return keys.at(-1)?.name ?? "";
}

function nameIn(kind: Kind, given: Given): string {
  return textOf(given, lastKey(kind));
}

function keysIn({ keys }: Kind, given: Given): Readonly<Record<string, Value>> {
  return Object.fromEntries(keys.map(({ name }) => [name, textOf(given, name)]));
}

function found(store: Store, kind: Kind, given: Given): boolean {
  return store.get(kind.find, keysIn(kind, given)) !== undefined;
}

function checkFound(store: Store, kind: Kind, given: Given): void {
  if (!found(store, kind, given)) throw new Fault(404, 51, `There is no ${kind.noun} named '${nameIn(kind, given)}'.`);
}

function apply(store: Store, kind: Kind, given: Given): Given {
  if (kind.within !== undefined) {
    idOf(store, kind.within, textOf(given, kind.within)); // what it belongs to is not made by the way
  }
  const setup = kind.setup(given);
  checkShape(SETUP_SHAPE, setup as Json);
  applySetup(store, setup);
  const named = renamed(store, kind, given);
  kind.also?.(store, named);
  return named;
}

function renamed(store: Store, kind: Kind, given: Given): Given {
  const { new_name: name = "", ...rest } = given;
  if (kind.rename === undefined || typeof name !== "string" || name.trim() === "") return rest;
  const key = lastKey(kind);
  const isSame = name.trim().toLowerCase() === nameIn(kind, given).toLowerCase();
  if (!isSame && found(store, kind, { ...given, [key]: name.trim() })) {
    throw new Fault(400, 32000, `There is a ${kind.noun} named '${name.trim()}' already.`);
  }
  for (const statement of kind.rename) {
    store.run(statement, { ...keysIn(kind, given), new_name: name.trim() });
  }
  return { ...rest, [key]: name.trim() };
}
