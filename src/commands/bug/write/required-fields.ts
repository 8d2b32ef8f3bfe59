import { type Catalog, possiblyRequiredFields, requireField } from "../../../api/catalog/catalog.ts";
import { legalNames } from "../../../api/catalog/legal-values.ts";
import { flagName, type Parameter } from "../../../api/operations/operation.ts";
import { BtError, withFacts } from "../../../errors.ts";
import { DEFAULTED_FIELDS } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { offeredValues } from "./new-bug.ts";

/**
 * Completes a refusal for a missing value with all such fields and their values; servers name one of them. Other errors
 * are unchanged.
 */
export function withAllMissingFields(error: unknown, body: JsonObject, catalog: Catalog): unknown {
  if (error instanceof BtError && error.facts.bugzillaCode === TYPE_REQUIRED) return withTypes(error, catalog);
  const left = DEFAULTED_FIELDS.filter((name) => body[name] === undefined);
  if (!(error instanceof BtError) || error.facts.bugzillaCode !== REQUIRED || left.length === 0) return error;
  const details = left.map(
    (name) => `--${flagName(name)}: ${(legalNames(requireField(catalog, name)) ?? []).join(", ")}`,
  );
  return withFacts(error, {
    details: ["this tracker may require:", ...details],
    hint: "bt config set op_sys and platform stores defaults",
  });
}

/** Error for a missing type, with the types. */
function withTypes(error: BtError, catalog: Catalog): BtError {
  const fields = possiblyRequiredFields(catalog);
  const details = fields.map((field) => `--field ${field.api}=VALUE: ${(legalNames(field) ?? []).join(", ")}`);
  const hint = fields.map(({ api }) => `bt config set ${api} VALUE stores a default`).join("; ");
  return fields.length === 0 ? error : withFacts(error, { details, hint });
}

/**
 * Code of a missing type.
 * @see Bugzilla/WebService/Constants.pm of bugzilla.mozilla.org, bug_type_required
 */
const TYPE_REQUIRED = 135;

/** Code of a missing value. */
export const REQUIRED = 50;

/** Error for required fields without a value and without a prompt, with their values. */
export function missingFieldsError(missing: Parameter[], catalog: Catalog, product: string | undefined): BtError {
  const details = missing.map(({ name }) => {
    const names = offeredValues(name, catalog, product);
    return `--${flagName(name)}${names.length > 0 ? `: ${names.join(", ")}` : ""}`;
  });
  return new BtError("usage", `missing required fields: ${missing.map(({ name }) => name).join(", ")}`, {
    details,
    hint: "bt bug create --product P --component C --version V --summary '...'; bt config set stores defaults",
    changed: "nothing",
  });
}
