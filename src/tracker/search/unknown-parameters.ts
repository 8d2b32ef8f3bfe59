import { Fault } from "../http/fault.ts";
import type { ParameterValues, SearchContext } from "./context.ts";
import { chartParameterName, fieldParameters } from "./parameters/plain.ts";

/**
 * Everything that a search was asked and that would have no effect comes here, from wherever it is noticed. The recorded
 * server passes over it, which mostly means every bug; a strict tracker refuses it.
 */
export function ignoredParameterHandler(isStrict: boolean): SearchContext["ignore"] {
  return isStrict ? refuse : () => undefined;
}

function refuse(parameter: string, why: string): never {
  throw new Fault(400, 53, `The parameter ${parameter} would have no effect: ${why}.`);
}

/** Tells of every parameter that a search does not know. */
export function reportUnknownParameters(asking: SearchContext, values: ParameterValues): void {
  const fields = fieldParameters(asking);
  const types = new Set([...fields.values()].map((field) => `${chartParameterName(field)}_type`));
  for (const name of values.keys()) {
    if (!fields.has(name) && !types.has(name) && !KNOWN_PARAMETERS.has(name) && !NUMBERED_PARAMETER.test(name)) {
      asking.ignore(name, "there is no such parameter of a search");
    }
  }
}

const NUMBERED_PARAMETER =
  /^(?:[fovnj]\d+|(?:field|type|value)\d+-\d+-\d+|negate\d+|email(?:type|assigned_to|reporter|qa_contact|cc|longdesc)?\d+)$/;

const KNOWN_PARAMETERS: ReadonlySet<string> = new Set([
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
