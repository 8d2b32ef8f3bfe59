import type { Catalog } from "../../api/catalog.ts";
import { fieldOf } from "../../api/catalog.ts";
import { legalNames, legalValue } from "../../api/legal-value.ts";
import { write } from "../../api/operation.ts";
import { flagName } from "../../api/parameter.ts";
import { isObject, unexpectedShape } from "../../api/read.ts";
import { checkFlags } from "../../api/write/flag-types.ts";
import { CREATE_BUG, CREATE_BUG_MORE } from "../../api/write-bugs.ts";
import { BtError } from "../../errors.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { withCatalog } from "../catalog.ts";
import type { Context } from "../context.ts";
import { readProse } from "../prose.ts";
import { formatOf, isForEyes } from "../show.ts";
import { type Input, textOf } from "../verb.ts";
import { bodyFrom, readingOf } from "./reading.ts";
import { showPlan } from "./show-changes.ts";

/** `bt bug create`: checks every value against the tracker's metadata, files one bug, and prints its number. */
export async function create(input: Input, context: Context): Promise<void> {
  const description = await readProse({ name: "description" }, input, context);
  const body = await withCatalog(context.tracker, (catalog) => createBody(input, context, catalog));
  const request = write("POST", "/rest/bug", { ...body, ...(description === undefined ? {} : { description }) });
  if (input.flags["dry-run"]) return showPlan(request, [], context);
  const answer = await context.tracker.ask(request);
  const id = isObject(answer) ? answer["id"] : undefined;
  if (typeof id !== "number") throw unexpectedShape("the number of the new bug");
  await show(id, context);
}

async function createBody(input: Input, context: Context, catalog: Catalog): Promise<JsonObject> {
  const product = textOf(input.flags["product"]);
  checkRequired(input, catalog, product);
  const known = product === undefined ? undefined : legalValue(fieldOf(catalog, "product"), product);
  const reading = { ...(await readingOf(input, context, catalog)), product: known };
  const parameters = [...CREATE_BUG.parameters, ...CREATE_BUG_MORE].filter(({ name }) => name !== "description");
  const body = bodyFrom(input, parameters, reading);
  const { product: place, component } = body;
  if (typeof place === "string" && typeof component === "string") {
    await checkFlags(body["flags"], { product: place, component }, context.tracker.ask);
  }
  return body;
}

/** Names every required flag that is missing at once, with the values that the product offers for it. */
function checkRequired(input: Input, catalog: Catalog, product: string | undefined): void {
  const missing = CREATE_BUG.parameters.filter(
    ({ name, required }) => required && input.flags[flagName(name)] === undefined,
  );
  if (missing.length === 0) return;
  const details = missing.map(({ name }) => `--${flagName(name)}${offered(name, catalog, product)}`);
  throw new BtError("usage", "a new bug needs more than was given", {
    details,
    hint: "bt bug create --product P --component C --bug-version V --summary '...'",
    changed: "nothing",
  });
}

function offered(name: string, catalog: Catalog, product: string | undefined): string {
  if (name === "summary") return "";
  const names = legalNames(fieldOf(catalog, name), product) ?? [];
  const isTold = product !== undefined || name === "product";
  return isTold && names.length > 0 ? `: ${names.join(", ")}` : "";
}

async function show(id: number, context: Context): Promise<void> {
  const { tracker, io } = context;
  const format = formatOf(context);
  if (format === "json" || format === "ndjson") return io.out(`${JSON.stringify({ id })}\n`);
  if (isForEyes(context)) await io.err(`bug ${id} was filed\n`);
  const isOnWeb = /^https?:/.test(tracker.address);
  await io.out(isForEyes(context) && isOnWeb ? `${tracker.address}/show_bug.cgi?id=${id}\n` : `${id}\n`);
}
