/**
 * What an administrator does to a tracker without a request: `admin(store, surroundings)` is a table of operations, each
 * with a noun, a verb, a sentence, its parameters, and `run`.
 *
 *   user, group            list, add, change             product, component, version, milestone, keyword    list, add, change
 *   key                    list, add, revoke             product-group (what groups mean for a product)    list, add, change
 *   field, value           list, add, change             flag-type                                         list, add, change
 *   workflow, parameter    list, set                     setup (all of it as one document)                  show, load
 *   mail                   list, show
 *
 * `run` takes what was given by parameter names, checks it, and works in one transaction, so that it happens whole or not
 * at all; what it refuses it throws as a Fault, whose message is for people. What changes the tracker is noted in `audit`.
 */
import type { Json } from "../../wire/exchange.ts";
import type { Surroundings } from "../call.ts";
import { Fault } from "../fault.ts";
import { readParameters } from "../parameters.ts";
import { clearForSetup } from "../setup/clear.ts";
import { idOf } from "../setup/lookup.ts";
import { applySetup } from "../setup/setup.ts";
import type { Store } from "../store/store.ts";
import { catalogOperations } from "./catalog.ts";
import { checkParameter, readDocument, writeDocument } from "./document.ts";
import { fieldOperations } from "./fields.ts";
import { mailOperations } from "./mails.ts";
import { type AdminOperation, type AdminParameter, type Given, optional, required, textOf } from "./operation.ts";
import { peopleOperations } from "./people.ts";

/** An operation on a certain tracker. */
export type BoundOperation = Omit<AdminOperation, "run"> & { readonly run: (given: Given) => Json };

/** All that an administrator can do to a tracker. */
export function admin(store: Store, surroundings: Surroundings): readonly BoundOperation[] {
  return ADMIN_OPERATIONS.map((operation) => ({
    ...operation,
    run: (given) => {
      checkGiven(operation, given);
      return store.transaction(operation.changes ? "write" : "read", () => {
        const result = operation.run({ store, surroundings }, given);
        if (operation.changes) {
          store.run(NOTE, [`${surroundings.now().toISOString().slice(0, 19)}Z`, sentence(operation, given)]);
        }
        return result;
      });
    },
  }));
}

const parameterOperations: readonly AdminOperation[] = [
  {
    noun: "parameter",
    verb: "list",
    about: "Lists the parameters of the tracker with their values.",
    parameters: [],
    changes: false,
    run: ({ store }) => Object.entries(readParameters(store)).map(([name, value]) => ({ name, value })),
  },
  {
    noun: "parameter",
    verb: "set",
    about: "Sets a parameter; switches are 1 and 0.",
    parameters: [required("name", "the parameter"), required("value", "its value; may be empty")],
    changes: true,
    run: ({ store }, given) => {
      const [name, value] = [textOf(given, "name"), textOf(given, "value")];
      checkParameter(name);
      if (name.endsWith("group") && value !== "") idOf(store, "group", value);
      applySetup(store, { parameters: { [name]: value } });
      return { name, value };
    },
  },
];

const setupOperations: readonly AdminOperation[] = [
  {
    noun: "setup",
    verb: "show",
    about:
      "Shows the whole arrangement of the tracker as one YAML document (JSON with --json), without secrets and without bugs.",
    parameters: [],
    changes: false,
    run: ({ store }) => writeDocument(store),
  },
  {
    noun: "setup",
    verb: "load",
    about: "Brings the tracker to what a file says, YAML or JSON; loading it again changes nothing.",
    parameters: [
      required("document", "the file that holds it; - is standard input"),
      optional("exact", "yes-no", "yes: remove what the file does not say; for a tracker without bugs"),
    ],
    changes: true,
    run: ({ store }, given) => {
      const setup = readDocument(textOf(given, "document"));
      if (given["exact"] === true) clearForSetup(store, setup);
      applySetup(store, setup);
      return Object.fromEntries(Object.entries(setup).map(([part, said]) => [part, Object.keys(said).length]));
    },
  },
];

/** The operations, whatever the tracker; for help and completion. */
export const ADMIN_OPERATIONS: readonly AdminOperation[] = [
  ...peopleOperations,
  ...catalogOperations,
  ...fieldOperations,
  ...parameterOperations,
  ...mailOperations,
  ...setupOperations,
];

const NOTE = "INSERT INTO audit (time, what) VALUES (?, ?)";

function sentence({ noun, verb, parameters }: AdminOperation, given: Given): string {
  const [about] = parameters.filter(({ name }) => name !== "document").map(({ name }) => textOf(given, name));
  return `${noun} ${verb} ${about ?? ""}`.trim();
}

function checkGiven({ noun, verb, parameters }: AdminOperation, given: Given): void {
  const unknown = Object.keys(given).find((name) => !parameters.some((parameter) => parameter.name === name));
  if (unknown !== undefined) throw new Fault(400, 53, `${noun} ${verb} has no ${unknown}.`);
  for (const parameter of parameters) {
    checkOne(`${noun} ${verb}`, parameter, given[parameter.name]);
  }
}

function checkOne(
  operation: string,
  { name, kind, isRequired }: AdminParameter,
  value: Given[string] | undefined,
): void {
  const isMissing = value === undefined || (value === "" && name !== "value");
  if (isRequired && isMissing) throw new Fault(400, 50, `${operation} needs a ${name}.`);
  if (value !== undefined && !FITS[kind](value)) {
    throw new Fault(400, 32000, `The ${name} of ${operation} must be ${WANTED[kind]}.`);
  }
}

const FITS: Readonly<Record<AdminParameter["kind"], (value: Given[string]) => boolean>> = {
  text: (value) => typeof value === "string",
  secret: (value) => typeof value === "string",
  number: (value) => Number.isSafeInteger(value),
  "yes-no": (value) => typeof value === "boolean",
  list: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
};

const WANTED: Readonly<Record<AdminParameter["kind"], string>> = {
  text: "a text",
  secret: "a text",
  number: "a whole number",
  "yes-no": "true or false",
  list: "a list of texts",
};
