import type { Json } from "../../wire/exchange.ts";
import type { Runtime } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { readServerParameters } from "../http/server-parameters.ts";
import type { Store } from "../store/store.ts";
import { clearForSetup } from "./clear.ts";
import { checkServerParameter, formatSetup, parseSetup } from "./document.ts";
import { fieldOperations } from "./field-operations.ts";
import { idByName } from "./lookup.ts";
import {
  type AdminArguments,
  type AdminOperation,
  type AdminParameter,
  optionalParameter,
  requiredParameter,
  textArgument,
} from "./operation.ts";
import { productOperations } from "./product-operations.ts";
import { applySetup } from "./setup.ts";
import { mailOperations, userOperations } from "./user-operations.ts";

/**
 * The operations of `bt admin`. `bindAdminOperations(store, runtime)` returns them with `run` bound to a tracker.
 *
 *   user, group            list, add, change             product, component, version, milestone, keyword    list, add, change
 *   key                    list, add, revoke             product-group (group controls)                    list, add, change
 *   field, value           list, add, change             flag-type                                         list, add, change
 *   workflow, parameter    list, set                     setup (configuration as one document)              show, load
 *   mail                   list, show
 *
 * `run` takes arguments by parameter name, validates them and works in one transaction; it throws a Fault with a message
 * for the user. Changes are logged in the table `audit`.
 */

/** An operation bound to a tracker. */
export type BoundAdminOperation = Omit<AdminOperation, "run"> & { readonly run: (args: AdminArguments) => Json };

/** All admin operations, bound to a tracker. */
export function bindAdminOperations(store: Store, runtime: Runtime): readonly BoundAdminOperation[] {
  return ADMIN_OPERATIONS.map((operation) => ({
    ...operation,
    run: (args) => {
      checkArguments(operation, args);
      return store.transaction(operation.isWrite ? "write" : "read", () => {
        const result = operation.run({ store, runtime }, args);
        if (operation.isWrite) {
          store.run(INSERT_AUDIT, [`${runtime.now().toISOString().slice(0, 19)}Z`, auditSentence(operation, args)]);
        }
        return withBooleans(result);
      });
    },
  }));
}

/** Rows with `true` and `false` for the 1 and 0 of the database, in the columns that hold yes or no. */
function withBooleans(result: Json): Json {
  if (Array.isArray(result)) return result.map(withBooleans);
  if (result === null || typeof result !== "object") return result;
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => {
      const isClaim = YES_NO.test(name) || YES_NO_NAMES.has(name);
      return [name, isClaim && (value === 0 || value === 1) ? value === 1 : (value ?? null)];
    }),
  );
}

const YES_NO = /^(?:is|can|has)_|_required$/; // columns of lists that no parameter sets

const parameterOperations: readonly AdminOperation[] = [
  {
    noun: "parameter",
    verb: "list",
    about: "List the parameters of the tracker with their values.",
    parameters: [],
    isWrite: false,
    run: ({ store }) => Object.entries(readServerParameters(store)).map(([name, value]) => ({ name, value })),
  },
  {
    noun: "parameter",
    verb: "set",
    about: "Set a parameter; switches are 1 and 0.",
    parameters: [requiredParameter("name", "name of the parameter"), requiredParameter("value", "value; may be empty")],
    isWrite: true,
    run: ({ store }, args) => {
      const [name, value] = [textArgument(args, "name"), textArgument(args, "value")];
      checkServerParameter(name);
      if (name.endsWith("group") && value !== "") idByName(store, "group", value);
      applySetup(store, { parameters: { [name]: value } });
      return { name, value };
    },
  },
];

const setupOperations: readonly AdminOperation[] = [
  {
    noun: "setup",
    verb: "show",
    about: "Show the whole setup of the tracker as one YAML document (JSON with --json), without secrets or bugs.",
    parameters: [],
    isWrite: false,
    run: ({ store }) => formatSetup(store),
  },
  {
    noun: "setup",
    verb: "load",
    about: "Load a setup from a YAML or JSON file. Idempotent.",
    parameters: [
      requiredParameter("document", 'file with the setup ("-" for stdin)'),
      optionalParameter(
        "exact",
        "yes-no",
        "yes: remove everything the file does not contain; for a tracker without bugs",
      ),
    ],
    isWrite: true,
    run: ({ store }, args) => {
      const setup = parseSetup(textArgument(args, "document"));
      if (args["exact"] === true) clearForSetup(store, setup);
      applySetup(store, setup);
      return Object.fromEntries(Object.entries(setup).map(([part, items]) => [part, Object.keys(items).length]));
    },
  },
];

/** All admin operations without a tracker, for help and completion. */
export const ADMIN_OPERATIONS: readonly AdminOperation[] = [
  ...userOperations,
  ...productOperations,
  ...fieldOperations,
  ...parameterOperations,
  ...mailOperations,
  ...setupOperations,
];

const YES_NO_NAMES: ReadonlySet<string> = new Set(
  ADMIN_OPERATIONS.flatMap(({ parameters }) => parameters.filter(({ kind }) => kind === "yes-no")).map(
    ({ name }) => name,
  ),
);

const INSERT_AUDIT = "INSERT INTO audit (time, what) VALUES (?, ?)";

function auditSentence({ noun, verb, parameters }: AdminOperation, args: AdminArguments): string {
  const [about] = parameters.filter(({ name }) => name !== "document").map(({ name }) => textArgument(args, name));
  return `${noun} ${verb} ${about ?? ""}`.trim();
}

function checkArguments({ noun, verb, parameters }: AdminOperation, args: AdminArguments): void {
  const unknown = Object.keys(args).find((name) => !parameters.some((parameter) => parameter.name === name));
  if (unknown !== undefined) throw new Fault(400, 53, `Unknown argument ${unknown} for ${noun} ${verb}.`);
  for (const parameter of parameters) {
    checkArgument(`${noun} ${verb}`, parameter, args[parameter.name]);
  }
}

function checkArgument(
  operation: string,
  { name, kind, isRequired }: AdminParameter,
  value: AdminArguments[string] | undefined,
): void {
  const isMissing = value === undefined || (value === "" && name !== "value");
  if (isRequired && isMissing) throw new Fault(400, 50, `${operation} requires a ${name}.`);
  if (value !== undefined && !ACCEPTS[kind](value)) {
    throw new Fault(400, 32000, `The ${name} of ${operation} must be ${EXPECTED[kind]}.`);
  }
}

const ACCEPTS: Readonly<Record<AdminParameter["kind"], (value: AdminArguments[string]) => boolean>> = {
  text: (value) => typeof value === "string",
  secret: (value) => typeof value === "string",
  number: (value) => Number.isSafeInteger(value),
  "yes-no": (value) => typeof value === "boolean",
  list: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
};

const EXPECTED: Readonly<Record<AdminParameter["kind"], string>> = {
  text: "a string",
  secret: "a string",
  number: "an integer",
  "yes-no": "true or false",
  list: "a list of strings",
};
