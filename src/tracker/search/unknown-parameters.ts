import { Fault } from "../http/fault.ts";
import type { ParameterValues, SearchContext } from "./context.ts";
import { DUE_DAY_PARAMETERS } from "./parameters/form.ts";
import { chartParameterName, fieldParameters } from "./parameters/plain.ts";
import { ROLE_FIELDS } from "./parameters/rows.ts";

/**
 * Handler of search parameters without effect. Bugzilla ignores them, which often matches every bug; a strict tracker
 * throws Fault 53.
 */
export function ignoredParameterHandler(isStrict: boolean): SearchContext["reportIgnored"] {
  return isStrict ? rejectParameter : () => undefined;
}

function rejectParameter(parameter: string, reason: string): never {
  throw new Fault(400, 53, `The parameter ${parameter} would have no effect: ${reason}.`);
}

/** Reports all unknown parameters of a search. */
export function reportUnknownParameters(context: SearchContext, values: ParameterValues): void {
  const fields = fieldParameters(context);
  const types = new Set([...fields.values()].map((field) => `${chartParameterName(field)}_type`));
  for (const name of values.keys()) {
    if (!fields.has(name) && !types.has(name) && !KNOWN_PARAMETERS.has(name) && !NUMBERED_PARAMETER.test(name)) {
      context.reportIgnored(name, "there is no such parameter of a search");
    }
  }
}

const NUMBERED_PARAMETER = new RegExp(
  `^(?:[fovnj]\\d+|(?:field|type|value)\\d+-\\d+-\\d+|negate\\d+|email(?:type|${ROLE_FIELDS.join("|")})?\\d+)$`,
);

const KNOWN_PARAMETERS: ReadonlySet<string> = new Set([
  // the search itself
  "chfield",
  "chfieldfrom",
  "chfieldto",
  "chfieldvalue",
  ...DUE_DAY_PARAMETERS,
  "j_top",
  "limit",
  "offset",
  "order",
  "quicksearch",
  // the response
  "callback",
  "exclude_fields",
  "include_fields",
  "permissive", // of Get Bug; python-bugzilla sends it along
  // credentials
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
  // parameters of the web interface's URLs
  "columnlist",
  "ctype",
  "known_name",
  "list_id",
  "query_based_on",
  "query_format",
]);
