import { parse, stringify } from "yaml";
import type { Json } from "../../wire/exchange.ts";
import { Fault } from "../fault.ts";
import { PARAMETER_DEFAULTS } from "../parameters.ts";
import { describeSetup } from "../setup/describe.ts";
import type { Setup } from "../setup/setup.ts";
import type { Store } from "../store/store.ts";
import { SETUP_SHAPE } from "./setup-shape.ts";
import { checkShape } from "./shape.ts";

/** Reads an arrangement that people write, as YAML or JSON; what is wrong in it is named by its place. */
export function readDocument(document: string): Setup {
  const value = parsed(document);
  checkShape(SETUP_SHAPE, value);
  const setup = value as Setup;
  for (const name of Object.keys(setup.parameters ?? {})) {
    checkParameter(name);
  }
  return setup;
}

/** A tracker's arrangement as YAML, which can be read again; without the secrets of its users. */
export function writeDocument(store: Store): string {
  return stringify(describeSetup(store), { lineWidth: 120 });
}

/** A document as JSON, which can be read like the YAML that it comes from. */
export function documentAsJson(document: string): string {
  return `${JSON.stringify(parsed(document), null, 2)}\n`;
}

/** Refuses a parameter that the tracker does not have. */
export function checkParameter(name: string): void {
  if (!Object.hasOwn(PARAMETER_DEFAULTS, name)) throw new Fault(404, 51, `There is no parameter named '${name}'.`);
}

// JSON is YAML too. Numbers and words like yes are left to the shape to refuse where a text is wanted.
function parsed(document: string): Json {
  try {
    return (parse(document) as Json) ?? {};
  } catch (error) {
    throw new Fault(400, 32000, `The document cannot be read: ${(error as Error).message}`);
  }
}
