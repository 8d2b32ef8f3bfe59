import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { objectsIn } from "../../wire/json.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { GET_PRODUCTS } from "../operations/tracker.ts";
import { listUnder } from "../response/response-objects.ts";

/**
 * The body of an update as it applies to a bug: `reset_assigned_to` and `reset_qa_contact` as the defaults of its component,
 * as far as the tracker returns these.
 */
export async function withComponentDefaults(body: JsonObject, bug: Bug, send: SendRequest): Promise<JsonObject> {
  if (!RESETS.some(([reset]) => body[reset] === true)) return body;
  const { product = bug.product, component = bug.component } = body;
  const include_fields = `name,components.name,${RESETS.map(([, , name]) => `components.${name}`).join()}`;
  const [found] = objectsIn(
    listUnder(await send(requestFor(GET_PRODUCTS, { names: String(product), include_fields })), "products"),
  );
  const defaults = objectsIn(found?.["components"]).find(({ name }) => name === component) ?? {};
  const values: Record<string, JsonObject[string]> = { ...body };
  for (const [reset, field, name] of RESETS) {
    if (body[reset] !== true || defaults[name] === undefined) continue;
    delete values[reset];
    values[field] = defaults[name];
  }
  return values;
}

const RESETS = [
  ["reset_assigned_to", "assigned_to", "default_assigned_to"],
  ["reset_qa_contact", "qa_contact", "default_qa_contact"],
] as const;
