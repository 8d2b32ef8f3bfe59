import type { Catalog } from "../../api/catalog.ts";
import { fieldOf } from "../../api/catalog.ts";
import { enterableProducts } from "../../api/enterable.ts";
import { legalValue } from "../../api/legal-value.ts";
import { write } from "../../api/operation.ts";
import { isObject, unexpectedShape } from "../../api/read.ts";
import { withBugNumbers } from "../../api/write/bug-numbers.ts";
import { checkFlags } from "../../api/write/flag-types.ts";
import { checkedText } from "../../api/write/limits.ts";
import { checkStart } from "../../api/write/start.ts";
import { withWholeValues } from "../../api/write/whole-edits.ts";
import { CREATE_BUG, CREATE_BUG_MORE } from "../../api/write-bugs.ts";
import { usage } from "../../errors.ts";
import type { JsonObject, Request } from "../../wire/exchange.ts";
import { withCatalog } from "../catalog.ts";
import type { Context } from "../context.ts";
import { readProse } from "../prose.ts";
import { formatOf, isForEyes } from "../show.ts";
import { type Input, textOf } from "../verb.ts";
import { withDefaulted, withRequired } from "./ask-missing.ts";
import { readBack, reportNotApplied } from "./read-back.ts";
import { bodyFrom, readingOf } from "./reading.ts";
import { showPlan } from "./show-changes.ts";
import { checkStoredTimes, momentsOf } from "./stored-times.ts";

/** `bt bug create`: checks every value against the tracker's metadata, files one bug, and prints its number. */
export async function create(input: Input, context: Context): Promise<void> {
  const description = await readProse({ name: "description" }, input, context);
  const withProduct = enterableProducts(context.tracker.ask);
  const named = textOf(input.flags["product"]) ?? context.settings.product;
  const full = await withRequired(input, context, await withProduct(await context.tracker.catalog(), named));
  const text = description === undefined ? {} : { description: checkedText("description", description) };
  const body = await withCatalog(context.tracker, async (known) => {
    const catalog = await withProduct(known, textOf(full.flags["product"]));
    const wanted = { ...(await createBody(full, context, catalog)), ...text };
    checkStart(wanted, catalog);
    return wanted;
  });
  const request = write("POST", "/rest/bug", body);
  if (input.flags["dry-run"]) return plan(request, body, context);
  const answer = await context.tracker.deliver({ request }).catch(async (error: unknown) => {
    throw withDefaulted(error, body, await context.tracker.catalog());
  });
  const id = isObject(answer) ? answer["id"] : undefined;
  if (typeof id !== "number") throw unexpectedShape("the number of the new bug");
  await finish(id, body, { input, context });
}

async function plan(request: Request, body: JsonObject, context: Context): Promise<void> {
  await showPlan(request, [], context);
  for (const [name, moment] of Object.entries(await momentsOf(body, context))) {
    await context.io.err(`bt: ${name}: ${moment}, which is ${body[name]} on the tracker's clock\n`);
  }
}

async function createBody(input: Input, context: Context, catalog: Catalog): Promise<JsonObject> {
  const product = textOf(input.flags["product"]);
  const known = product === undefined ? undefined : legalValue(fieldOf(catalog, "product"), product);
  const reading = { ...(await readingOf(input, context, catalog)), product: known };
  const parameters = [...CREATE_BUG.parameters, ...CREATE_BUG_MORE].filter(({ name }) => name !== "description");
  const given = withWholeValues(bodyFrom(input, parameters, reading));
  const body = { ...(await withBugNumbers(given, context.tracker.ask)), ...groupsOf(input) };
  const { product: place, component } = body;
  if (typeof place === "string" && typeof component === "string") {
    await checkFlags(body["flags"], { product: place, component }, context.tracker.ask);
  }
  return body;
}

/** An empty list of groups shows the bug to more people than none at all, so it has to be asked for by its own word. */
function groupsOf({ flags }: Input): JsonObject {
  if (!flags["public"]) return {};
  if (flags["groups"] !== undefined) throw usage("--public and --groups do not go together");
  return { groups: [] };
}

type Around = { readonly input: Input; readonly context: Context };

/** Prints the number at once, and then what was not applied; in JSON both are one object. */
async function finish(id: number, body: JsonObject, { input, context }: Around): Promise<void> {
  const isJson = ["json", "ndjson"].includes(formatOf(context));
  if (!isJson) await showNumber(id, context);
  const missing = await readBack(id, body, context);
  if (isJson) await context.io.out(`${JSON.stringify({ id, not_applied: missing })}\n`);
  await checkStoredTimes(id, body, context);
  await reportNotApplied(id, missing ?? [], { isStrict: input.flags["strict"] === true, context });
}

async function showNumber(id: number, context: Context): Promise<void> {
  const { tracker, io } = context;
  if (isForEyes(context)) await io.err(`bug ${id} was filed\n`);
  const isOnWeb = /^https?:/.test(tracker.address);
  await io.out(isForEyes(context) && isOnWeb ? `${tracker.address}/show_bug.cgi?id=${id}\n` : `${id}\n`);
}
