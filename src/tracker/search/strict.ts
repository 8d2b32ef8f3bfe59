import { Fault } from "../fault.ts";
import type { Asking } from "./asking.ts";
import { innerName, parameterNames } from "./parameters/names.ts";
import type { Values } from "./parameters/values.ts";

/**
 * Everything that a search was asked and that would have no effect comes here, from wherever it is noticed. The recorded
 * server passes over it, which mostly means every bug; a strict tracker refuses it.
 */
export function ignoring(isStrict: boolean): Asking["ignore"] {
  return isStrict ? refuse : () => undefined;
}

function refuse(parameter: string, why: string): never {
  throw new Fault(400, 53, `The parameter ${parameter} would have no effect: ${why}.`);
}

/** Tells of every parameter that a search does not know. */
export function tellUnknown(asking: Asking, values: Values): void {
  const fields = parameterNames(asking);
  const types = new Set([...fields.values()].map((field) => `${innerName(field)}_type`));
  for (const name of values.keys()) {
    if (!fields.has(name) && !types.has(name) && !KNOWN.has(name) && !NUMBERED.test(name)) {
      asking.ignore(name, "there is no such parameter of a search");
    }
  }
}

const NUMBERED =
  /^(?:[fovnj]\d+|(?:field|type|value)\d+-\d+-\d+|negate\d+|email(?:type|assigned_to|reporter|qa_contact|cc|longdesc)?\d+)$/;

const KNOWN: ReadonlySet<string> = new Set([
  // the search itself
  "chfield",
  "chfieldfrom",
  "chfieldto",
  "chfieldvalue",
  "deadlinefrom",
  "deadlineto",
  "j_top",
  "limit",
  "offset",
  "order",
  "quicksearch",
  // the answer
  "callback",
  "exclude_fields",
  "include_fields",
  "permissive", // of Get Bug; python-bugzilla sends it along
  // who asks
  "Bugzilla_api_key",
  "Bugzilla_login",
  "Bugzilla_password",
  "Bugzilla_restrictlogin",
  "Bugzilla_token",
  "api_key",
  "login",
  "password",
  "restrict_login",
  "token",
  // what the web form's addresses carry along
  "columnlist",
  "ctype",
  "known_name",
  "list_id",
  "query_based_on",
  "query_format",
]);
