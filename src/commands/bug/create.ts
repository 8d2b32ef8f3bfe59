import { withBugNumbers } from "../../api/bug-numbers.ts";
import { type Catalog, requireField } from "../../api/catalog.ts";
import { enterableProducts } from "../../api/enterable-products.ts";
import { legalValue } from "../../api/legal-values.ts";
import { GET_BUG } from "../../api/operations/bugs.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { CREATE_BUG, CREATE_BUG_MORE } from "../../api/operations/write-bugs.ts";
import { isObject, readBugs, unexpectedShape } from "../../api/response/response-objects.ts";
import { checkInitialStatus } from "../../api/write/checks.ts";
import { checkFlags } from "../../api/write/flags.ts";
import { checkedText } from "../../api/write/limits.ts";
import { fieldsToReadBack, notAppliedFields } from "../../api/write/read-back.ts";
import { withWholeValues } from "../../api/write/whole-edits.ts";
import { BtError, usage } from "../../errors.ts";
import { flagValue } from "../../session/flags.ts";
import { withCatalog } from "../../session/session.ts";
import { plain } from "../../view/text.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject, Request } from "../../wire/exchange.ts";
import { readLongText } from "../input-text.ts";
import { isForTerminal, isJson } from "../output.ts";
import type { Context, Input } from "../verb.ts";
import { withDefaulted, withRequired } from "./ask-missing.ts";
import { checkStoredTimes, momentsOf, showPlan } from "./changes.ts";
import { bodyFrom, readingOf } from "./write-body.ts";

/** `bt bug create`: validates all values, files one bug, and prints its id. */
export async function createBug(input: Input, context: Context): Promise<void> {
  const description = await readLongText({ name: "description" }, input, context);
  const withProduct = enterableProducts(context.session.ask);
  const named = flagValue(input.flags["product"]) ?? context.session.settings.product;
  const full = await withRequired(input, context, await withProduct(await context.session.catalog(), named));
  const text = description === undefined ? {} : { description: checkedText("description", description) };
  const body = await withCatalog(context.session, async (known) => {
    const catalog = await withProduct(known, flagValue(full.flags["product"]));
    const wanted = { ...(await createBody(full, context, catalog)), ...text };
    checkInitialStatus(wanted, catalog);
    return wanted;
  });
  const request = requestFor(CREATE_BUG, body);
  if (input.flags["dry-run"]) return plan(request, body, context);
  const writer = await context.session.writer();
  const answer = await writer.deliver({ request }).catch(async (error: unknown) => {
    throw withDefaulted(error, body, await context.session.catalog());
  });
  const id = isObject(answer) ? answer["id"] : undefined;
  if (typeof id !== "number") throw unexpectedShape("the number of the new bug");
  await finish(id, body, { input, context });
}

async function plan(request: Request, body: JsonObject, context: Context): Promise<void> {
  await showPlan(request, [], context);
  for (const [name, moment] of Object.entries(await momentsOf(body, context))) {
    await context.io.err(`bt: ${name}: ${moment}, which is ${body[name]} in the tracker's time zone\n`);
  }
}

async function createBody(input: Input, context: Context, catalog: Catalog): Promise<JsonObject> {
  const product = flagValue(input.flags["product"]);
  const known = product === undefined ? undefined : legalValue(requireField(catalog, "product"), product);
  const reading = { ...(await readingOf(input, context, catalog)), product: known };
  const parameters = [...CREATE_BUG.parameters, ...CREATE_BUG_MORE].filter(({ name }) => name !== "description");
  const given = withWholeValues(bodyFrom(input, parameters, reading));
  const body = { ...(await withBugNumbers(given, context.session.ask)), ...groupsOf(input) };
  const { product: place, component } = body;
  if (typeof place === "string" && typeof component === "string") {
    await checkFlags(body["flags"], { product: place, component }, context.session.ask);
  }
  return body;
}

/** An empty list of groups makes the bug more visible than no list, so it requires its own flag. */
function groupsOf({ flags }: Input): JsonObject {
  if (!flags["public"]) return {};
  if (flags["groups"] !== undefined) throw usage("--public and --groups cannot be used together");
  return { groups: [] };
}

type Around = { readonly input: Input; readonly context: Context };

/** Prints the id at once, then the fields that were not applied; in JSON both are one object. */
async function finish(id: number, body: JsonObject, { input, context }: Around): Promise<void> {
  const asJson = isJson(context);
  if (!asJson) await showNumber(id, context);
  const missing = await readBack(id, body, context);
  if (asJson) await context.io.out(`${JSON.stringify({ id, not_applied: missing })}\n`);
  await checkStoredTimes(id, body, context);
  await reportNotApplied(id, missing ?? [], { isStrict: input.flags["strict"] === true, context });
}

async function showNumber(id: number, context: Context): Promise<void> {
  const { session, io } = context;
  if (isForTerminal(context)) await io.err(`created bug ${id}\n`);
  const isOnWeb = /^https?:/.test(session.address);
  await io.out(isForTerminal(context) && isOnWeb ? `${session.address}/show_bug.cgi?id=${id}\n` : `${id}\n`);
}

/**
 * Fields of a new bug that were not applied, read back in one request; undefined if nothing had to be read, or reading
 * failed, which is only noted, since the bug exists.
 */
export async function readBack(id: number, body: JsonObject, context: Context): Promise<readonly string[] | undefined> {
  const names = fieldsToReadBack(body);
  if (names.length === 0) return undefined;
  const request = requestFor(GET_BUG, { id_or_alias: id, include_fields: ["id", ...names].join(",") });
  try {
    const bug = readBugs(await context.session.ask(request)).find((one) => one.id === id);
    if (bug === undefined) throw unexpectedShape(`bug ${id}`);
    await reportGroups(body, bug, context);
    return notAppliedFields(body, bug as JsonObject);
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    await context.io.err(`created bug ${id}; could not verify what was applied: ${plain(error.message)}\n`);
    return undefined;
  }
}

/** A product may add groups to a bug filed without any. */
async function reportGroups(
  { groups: given, product }: JsonObject,
  { id, groups }: Bug,
  { io }: Context,
): Promise<void> {
  if (!Array.isArray(given) || given.length > 0 || !groups?.length) return;
  await io.err(`${plain(`created bug ${id}; ${product} restricted it to the group ${groups.join(", ")}`)}\n`);
}

/**
 * Reports fields that were not applied: a warning.
 * @throws BtError of kind partial with `--strict`
 */
export async function reportNotApplied(
  id: number,
  fields: readonly string[],
  { isStrict, context }: { readonly isStrict: boolean; readonly context: Context },
): Promise<void> {
  if (fields.length === 0) return;
  const sentence = `created bug ${id}; not applied: ${fields.join(", ")}`;
  if (!isStrict) return context.io.err(`${sentence}\n`);
  throw new BtError("partial", sentence, {
    hint: "your account may not set these, or the product does not support them",
  });
}
