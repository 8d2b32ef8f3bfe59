import { resolveBugNumbers } from "../../../api/bugs.ts";
import {
  activeNames,
  type Catalog,
  type CatalogField,
  findField,
  legalNames,
  legalValue,
  requireField,
  withEnterableProduct,
} from "../../../api/catalog/catalog.ts";
import { checkPeople } from "../../../api/names.ts";
import { quotedIfNeeded } from "../../../api/nearest.ts";
import { commandFlagName, type Parameter } from "../../../api/operations/operation.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { hasCode } from "../../../api/response/response.ts";
import { withInitialValues } from "../../../api/write/body.ts";
import { createRequest } from "../../../api/write/changes.ts";
import { checkInitialStatus } from "../../../api/write/checks.ts";
import { checkFlags, flagChangeText } from "../../../api/write/flags.ts";
import { checkedText, localTimes } from "../../../api/write/values.ts";
import { flagValue, flagValues } from "../../../command-flag.ts";
import { BtError, usageError, withFacts } from "../../../errors.ts";
import { type Session, withCatalog } from "../../../session/session.ts";
import type { Json, JsonObject, Request } from "../../../wire/exchange.ts";
import { isObject } from "../../../wire/json.ts";
import { readSource } from "../../shared/text.ts";
import { bodyFrom, readValueContext } from "../../shared/write-body.ts";
import type { Context } from "../../verb.ts";
import type { NewBugInput, NewBugValues } from "../flags.ts";

/** Values that a new bug starts with, and the `given` values, which override them. */
export type StartingValues = { readonly start: NewBugValues; readonly given: NewBugValues };

/**
 * The values of a command line; an empty list of groups makes a bug more visible than no list.
 * @throws BtError of kind usage for groups beside `--no-groups`
 */
export function valuesFromFlags({ parameters, noGroups, private: isPrivate }: NewBugInput): NewBugValues {
  if (noGroups && parameters.groups) throw usageError("--no-groups and --groups cannot be used together");
  return {
    ...parameters,
    ...(noGroups ? { groups: [] } : {}),
    ...(isPrivate ? { "comment-is-private": "yes" } : {}),
  };
}

/**
 * The values of a new bug in a file: `name: value` lines up to the first empty line, and the description below it. A line
 * without a value sets nothing; a name that is no flag is a custom field.
 * @throws BtError of kind usage with file and line for a line of another form, or of no field
 */
export async function readTemplate(file: string, context: Context): Promise<NewBugValues> {
  const text = await readSource(file, context);
  return withCatalog(context.session, (catalog) => templateValues(text, file, catalog));
}

function templateValues(text: string, file: string, catalog: Catalog): NewBugValues {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const end = lines.findIndex((line) => line.trim() === "");
  const [head, rest] = end < 0 ? [lines, []] : [lines.slice(0, end), lines.slice(end + 1)];
  const values: Record<string, string> = {};
  const field: string[] = [];
  for (const [at, line] of head.entries()) {
    const { label, flag, value, isFlag } = templateLine(line);
    const isKnown = isFlag || findField(catalog, label) !== undefined;
    if (!isKnown || flag === "description" || (isFlag && values[flag] !== undefined)) {
      const hint = "each field is one line such as product: Lantern; the description follows after an empty line";
      throw usageError(`${file}:${at + 1}: invalid line ${JSON.stringify(line)}`, hint);
    }
    if (value !== "" && isFlag) values[flag] = value;
    else if (value !== "") field.push(`${label}=${value}`);
  }
  const description = rest.join("\n").trimEnd();
  return { ...values, ...(field.length > 0 && { field }), ...(description !== "" && { description }) };
}

function templateLine(line: string) {
  const [, label = "", value = ""] = (/^([^:]+):(.*)$/.exec(line) ?? []).map((part) => part.trim());
  const name = label.toLowerCase().replace(/[\s-]+/g, "_");
  return { label, flag: commandFlagName(name), value, isFlag: PARAMETERS.some((one) => one.name === name) };
}

/** The values of flags that make the body of a new bug; `field` has the parts without a flag. */
export function valuesOfBody(body: JsonObject): NewBugValues {
  const values: Record<string, string | string[]> = {};
  const field: string[] = [];
  for (const [name, value] of Object.entries(body).filter(([, one]) => one !== null)) {
    const texts = Array.isArray(value) ? value.map(flagItem) : String(value);
    if (CREATE_BUG.parameters.some((one) => one.name === name)) values[commandFlagName(name)] = texts;
    else field.push(...[texts].flat().map((text) => `${name}=${text}`));
  }
  return field.length > 0 ? { ...values, field } : values;
}

/** An item of a list as a flag takes it: a flag as one word, a name with a comma in quotes. */
function flagItem(item: Json): string {
  return isObject(item) ? flagChangeText(String(item["name"]), item) : quotedIfNeeded(String(item));
}

/** The given values, else the starting values, else the settings that are named like a field. */
export function withDefaults(
  { start, given }: StartingValues,
  settings: Session["settings"],
  catalog: Catalog,
): NewBugValues {
  const fieldName = (pair: string) => {
    const [name = ""] = pair.split("=");
    return findField(catalog, name.trim())?.api ?? name;
  };
  const own = flagValues(given.field);
  const replaced = new Set(own.map(fieldName));
  const field = [...flagValues(start.field).filter((pair) => !replaced.has(fieldName(pair))), ...own];
  const stored = new Map(Object.entries(settings).filter(([, value]) => typeof value === "string"));
  const defaults = CREATE_BUG.parameters.map(({ name }) => [commandFlagName(name), stored.get(name)] as const);
  const unset = unsetFields({ field }, catalog).filter(({ api }) => stored.has(api));
  const pairs = [...field, ...unset.map(({ api }) => `${api}=${stored.get(api)}`)];
  const all = [...defaults, ...Object.entries({ ...start, ...given }), ["field", pairs.length > 0 ? pairs : undefined]];
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

/** Required parameters without a value. */
export function missingFields(values: NewBugValues): Parameter[] {
  return CREATE_BUG.parameters.filter(
    ({ name, required }: Parameter) => required && values[commandFlagName(name)] === undefined,
  );
}

/** Fields without a value that the tracker may require, see `possiblyRequiredFields`. */
export function unsetFields(values: NewBugValues, catalog: Catalog): CatalogField[] {
  const names = flagValues(values.field).map((pair) => (pair.split("=")[0] ?? "").trim());
  const set = new Set(names.map((name) => findField(catalog, name)));
  return possiblyRequiredFields(catalog).filter((field) => !set.has(field));
}

/** Fields beyond the interface's that a tracker may require of new bugs, without saying so. */
function possiblyRequiredFields({ fields }: Catalog): CatalogField[] {
  return fields.filter(({ isAdded, chart }) => isAdded && chart === "bug_type");
}

/** Active values of a field, of the product if its values belong to products; empty if unknown. */
export function offeredValues(name: string, catalog: Catalog, product: string | undefined): string[] {
  if (name === "status") return catalog.starts.map((start) => start.name);
  const field = requireField(catalog, name);
  if (name === "product") return legalNames(field) ?? [];
  if (field.isPerProduct && product === undefined) return [];
  return activeNames(field, product);
}

/**
 * The body of a new bug from its values, validated against the tracker's metadata.
 * @throws BtError of kind usage for an invalid value, else for missing ones
 */
export async function newBugBody(values: NewBugValues, context: Context): Promise<JsonObject> {
  const { session } = context;
  return withCatalog(session, async (known) => {
    const typed = flagValue(values.product);
    const catalog = await withEnterableProduct(known, typed, session.send);
    const product = typed && legalValue(requireField(catalog, "product"), typed, {});
    const reading = { ...(await readValueContext(values, context, catalog)), product };
    const isPublic = flagValues(values.groups).length === 0 && values.groups !== undefined;
    const given = bodyFrom(isPublic ? { ...values, groups: undefined } : values, PARAMETERS, reading);
    const formed = withInitialValues(given);
    await checkPeople(formed, catalog, session.send);
    const description = flagValue(values.description);
    const body: JsonObject = {
      ...(await resolveBugNumbers(formed, session.send)),
      ...(isPublic && { groups: [] }),
      ...(description !== undefined && { description: checkedText("description", description) }),
    };
    const component = flagValue(body["component"] as string | undefined);
    await checkFlags(body["flags"], { product, component }, session.send);
    checkInitialStatus(body, catalog);
    checkComplete(values, catalog);
    return body;
  });
}

function checkComplete(values: NewBugValues, catalog: Catalog): void {
  const missing = missingFields(values).map(({ name }) => name);
  if (missing.length === 0) return;
  const product = flagValue(values.product);
  throw new BtError("usage", `missing required fields: ${missing.join(", ")}`, {
    details: missing.map((name) => flagLine(commandFlagName(name), offeredValues(name, catalog, product))),
    hint: "add these flags; bt config set stores defaults",
  });
}

/** A flag with its values: `--component: Editor, Library`. */
function flagLine(flag: string, values: readonly string[]): string {
  return `--${flag}${values.length > 0 ? `: ${values.join(", ")}` : ""}`;
}

export async function newBugRequest(body: JsonObject, { session }: Context): Promise<Request> {
  const times = localTimes(body, await session.catalog(), session.settings.server_zone);
  return createRequest({ ...body, ...times }, body["alias"] === undefined ? "plain" : (await session.dialect()).name);
}

const PARAMETERS = CREATE_BUG.parameters.filter(({ name }) => name !== "description");

/** Adds all such fields with their values to a refusal for a missing one; servers name one. */
export function withAllMissingFields(error: unknown, body: JsonObject, catalog: Catalog): unknown {
  const isType = hasCode(error, "bug_type_required");
  if (!isType && !hasCode(error, "param_required")) return error;
  const defaulted = ["priority", "severity", "platform", "op_sys"].filter((name) => body[name] === undefined);
  const fields = isType ? possiblyRequiredFields(catalog) : defaulted.map((name) => requireField(catalog, name));
  const details = fields.map((field) =>
    flagLine(isType ? `field ${field.api}=VALUE` : commandFlagName(field.api), legalNames(field) ?? []),
  );
  const hint = `bt config set ${fields[0]?.api} VALUE stores a default`;
  return fields.length === 0 ? error : withFacts(error, { details: ["this tracker may require:", ...details], hint });
}
