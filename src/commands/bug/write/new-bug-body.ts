import { resolveBugNumbers } from "../../../api/bugs/bug-numbers.ts";
import { requireField } from "../../../api/catalog/catalog.ts";
import type { WithProduct } from "../../../api/catalog/enterable-products.ts";
import { legalValue } from "../../../api/catalog/legal-values.ts";
import { resolvePeople } from "../../../api/names.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { withInitialValues } from "../../../api/write/body.ts";
import { checkInitialStatus } from "../../../api/write/checks.ts";
import { inServerTime } from "../../../api/write/custom-fields.ts";
import { checkFlags } from "../../../api/write/flags.ts";
import { checkedText } from "../../../api/write/limits.ts";
import { aliasForm } from "../../../api/write/new-alias.ts";
import { flagValue, flagValues } from "../../../command-flag.ts";
import { withCatalog } from "../../../session/session.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { bodyFrom, readValueContext } from "../../shared/write-body.ts";
import type { Context } from "../../verb.ts";
import type { NewBugValues } from "./flags.ts";
import { missingFields, missingFieldsError } from "./new-bug.ts";

/**
 * The body of a new bug from its values, validated against the tracker's metadata.
 * @throws BtError of kind usage for an invalid value, else for missing ones
 */
export async function completeBody(
  values: NewBugValues,
  withProduct: WithProduct,
  context: Context,
): Promise<JsonObject> {
  const body = await newBugBody(values, withProduct, context);
  const missing = missingFields(values);
  if (missing.length === 0) return body;
  const product = flagValue(values.product);
  const catalog = await withProduct(await context.session.metadata.catalog(), product);
  throw missingFieldsError(missing, catalog, product);
}

/** The body of the values that are there. */
export async function newBugBody(
  values: NewBugValues,
  withProduct: WithProduct,
  context: Context,
): Promise<JsonObject> {
  const { session } = context;
  return withCatalog(session, async (known) => {
    const catalog = await withProduct(known, flagValue(values.product));
    const typed = flagValue(values.product);
    const product =
      typed === undefined ? undefined : legalValue(requireField(catalog, "product"), typed, { isSearch: false });
    const reading = { ...(await readValueContext(values, context, catalog)), product };
    const isPublic = flagValues(values.groups).length === 0 && values.groups !== undefined;
    const given = bodyFrom(isPublic ? { ...values, groups: undefined } : values, PARAMETERS, reading);
    const formed = await aliasForm(session.searches)(withInitialValues(given));
    const named = await resolvePeople(formed, catalog, session.send);
    const description = flagValue(values.description);
    const body: JsonObject = {
      ...(await resolveBugNumbers(named, session.send)),
      ...(isPublic && { groups: [] }),
      ...(description !== undefined && { description: checkedText("description", description) }),
    };
    const component = flagValue(body["component"] as string | undefined);
    await checkFlags(body["flags"], { product, component }, session.send);
    checkInitialStatus(body, catalog);
    return inServerTime(body, catalog, session.facts.zone);
  });
}

const PARAMETERS = CREATE_BUG.parameters.filter(({ name }) => name !== "description");
