import { resolveBugNumbers } from "../../../api/bugs/bug-numbers.ts";
import { type Catalog, requireField } from "../../../api/catalog/catalog.ts";
import { enterableProductLoader } from "../../../api/catalog/enterable-products.ts";
import { legalValue } from "../../../api/catalog/legal-values.ts";
import { resolvePeople } from "../../../api/names.ts";
import { commandFlagName, requestFor } from "../../../api/operations/operation.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { unexpectedShapeError } from "../../../api/response/response-objects.ts";
import { withInitialValues } from "../../../api/write/body.ts";
import { checkInitialStatus } from "../../../api/write/checks.ts";
import { checkFlags } from "../../../api/write/flags.ts";
import { checkedText } from "../../../api/write/limits.ts";
import { aliasForm } from "../../../api/write/new-alias.ts";
import { checkReferences } from "../../../api/write/references.ts";
import { flagValue, flagValues } from "../../../command-flag.ts";
import { isKind, usageError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import { withCatalog } from "../../../session/session.ts";
import { bugPage } from "../../../view/links.ts";
import type { JsonObject, Request } from "../../../wire/exchange.ts";
import { isObject } from "../../../wire/json.ts";
import { checkStoredTimes, readMoments } from "../../shared/changes/date-times.ts";
import { readNotApplied } from "../../shared/changes/ignored-fields.ts";
import { createdBugText, showCreated, showPlan } from "../../shared/changes/show-changes.ts";
import { bodyFrom, readValueContext } from "../../shared/changes/write-body.ts";
import { openInBrowser, readWebAddress } from "../../shared/output/browser.ts";
import { isForCards, isJson } from "../../shared/output/print.ts";
import { mayPrompt } from "../../shared/prompts.ts";
import { readLongText } from "../../shared/text/input-text.ts";
import type { Context } from "../../verb.ts";
import type { FormSteps } from "./create-form.ts";
import type { CreateInput, NewBugInput, NewBugValues } from "./flags.ts";
import {
  missingFields,
  missingFieldsError,
  reportNotApplied,
  uncheckedBody,
  unsetFields,
  withAllMissingFields,
  withDefaults,
  withStart,
} from "./new-bug.ts";
import { readStartingValues, type StartingValues } from "./template.ts";

/** `bt bug create`: prompts for what is missing, validates all values, files one bug, and prints its id. */
export async function createBug(input: CreateInput, context: Context): Promise<void> {
  if (input.orComment !== undefined)
    return (await OR_COMMENT.run())(input.orComment, input, { create: createNamed, check: checkNamed }, context);
  const { start, given } = await readStartingValues(input, context);
  await createFrom(start, given, input, context, { isCompared: comparesBug(input) });
}

const OR_COMMENT = {
  run: async () => (await import("./create-or-comment.ts")).createOrComment,
};

/** Files a bug for which a start and values were read already. */
function createNamed(
  { start, given }: StartingValues,
  input: CreateInput,
  context: Context,
  earlier?: Request[],
): Promise<boolean> {
  return createFrom(start, given, input, context, {
    isCompared: comparesBug(input),
    isOrComment: true,
    earlier,
  });
}

/** The fields that a command line and its start give a new bug, validated as for one; without description and defaults. */
async function checkNamed({ start, given }: StartingValues, context: Context): Promise<JsonObject> {
  const { metadata, settings } = context.session;
  const catalog = await metadata.catalog();
  const others = { description: undefined, "comment-is-private": undefined };
  const values: NewBugValues = { ...withStart(start, given, catalog), ...others };
  const body = await newBugBody(withDefaults(values, settings, catalog), context);
  await checkReferences([body], catalog, context.session.send);
  const isDefault = (name: string) =>
    CREATE_BUG.parameters.some((one) => one.name === name) && values[commandFlagName(name)] === undefined;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isDefault(name)));
}

function comparesBug({ noSimilar, dryRun }: CreateInput): boolean {
  return !noSimilar && !dryRun;
}

/** Conditions of a new bug. */
type Conditions = {
  isCompared?: boolean; // true: probable duplicates are looked for
  command?: string;
  mustApply?: string[]; // fields without which it is an error, such as the groups that restrict it
  isOrComment?: true; // the command may have commented instead
  earlier?: Request[] | undefined; // sent before it, which a dry run prints
};

/** Files a bug from a start, such as a template, which the given values override. False if it was not sent. */
export async function createFrom(
  start: NewBugValues,
  given: NewBugValues,
  input: NewBugInput,
  context: Context,
  conditions: Conditions,
): Promise<boolean> {
  const text = { name: "description", start: flagValue(start.description) ?? "" };
  const description = await readLongText({ ...text, typed: flagValue(given.description) }, input, context);
  if (description === undefined && text.start === "" && context.io.isFed())
    throw usageError("no description, and stdin is not read", NO_DESCRIPTION);
  const typed = description === undefined ? given : { ...given, description };
  const isPrompted = context.io.terminal.stdout && mayPrompt(context.io, context.session.settings);
  const { isCompared = false, command = "bug create" } = conditions;
  const isWritten = context.savedTexts.length > 0; // in the editor
  const keep: Asked["keep"] = async (unsent) => {
    const journal = await context.session.writes.journal();
    return journal.draft("bug create", { request: requestFor(CREATE_BUG, unsent) });
  };
  const keepUnsent = async (error: unknown) => {
    const isLost = isWritten || (isPrompted && isKind(error, "network", "busy"));
    if (isLost && !input.dryRun) await keepUnchecked(withStart(start, typed, undefined), keep, context);
    throw error;
  };
  const { values, body } = await prepareBug(start, typed, isPrompted, context).catch(keepUnsent);
  if (body && isCompared) await compare(body, context).catch(keepUnsent);
  const planned = input.dryRun ? (conditions.earlier ?? []) : undefined;
  const filed = body
    ? await fileBug(body, { planned, command }, context)
    : await askAndFile(values, { isCompared, keep, planned, command }, context);
  if (!filed) return false;
  await reportFiled(filed, conditions, context);
  if (input.web) await openInBrowser(bugPage(await readWebAddress(context), filed.id), context);
  return true;
}

const NO_DESCRIPTION = "-F - reads it from stdin; --description '' files the bug without one";

/**
 * The values of a new bug with the defaults, and its body if nothing is to be asked.
 * @throws BtError of kind usage for an invalid value, or without prompts for missing fields
 */
async function prepareBug(
  start: NewBugValues,
  typed: NewBugValues,
  isPrompted: boolean,
  context: Context,
): Promise<{ values: NewBugValues; body: JsonObject | undefined }> {
  const { metadata, settings } = context.session;
  const needsCatalog = (start.field && typed.field) || settings.type !== undefined || isPrompted;
  const catalog = needsCatalog ? await metadata.catalog() : undefined;
  const values = withDefaults(withStart(start, typed, catalog), settings, catalog);
  const isAsked = isPrompted && catalog !== undefined && unsetFields(values, catalog).length > 0;
  const isComplete = !isAsked && missingFields(values).length === 0;
  if (isComplete || !isPrompted) return { values, body: await checkedBody(values, context) };
  return { values, body: undefined };
}

/** The body of a bug for which nothing is asked; all missing fields are an error. */
async function checkedBody(values: NewBugValues, context: Context): Promise<JsonObject> {
  const { send, metadata } = context.session;
  const withProduct = enterableProductLoader(send);
  const body = await newBugBody(values, context, withProduct); // an invalid value is reported before missing ones
  const missing = missingFields(values);
  if (missing.length === 0) return body;
  const product = flagValue(values.product);
  throw missingFieldsError(missing, await withProduct(await metadata.catalog(), product), product);
}

/** Keeps what was typed as a draft, without a check by the tracker. */
async function keepUnchecked(values: NewBugValues, keep: Asked["keep"], context: Context): Promise<void> {
  const { keepAsDraft } = await CREATE_FORM.load();
  await keepAsDraft(values, uncheckedBody(values), keep, context);
}

const CREATE_FORM = { load: () => import("./create-form.ts") };

type Filed = { readonly id: number; readonly body: JsonObject };

/** The command that files a bug; in a dry run, the requests that are planned before it. */
type Filing = { planned: Request[] | undefined; command: string };

/** Filing of a bug by prompts; `keep` stores an unsent one as a draft, and returns its job. */
type Asked = Filing & {
  isCompared: boolean;
  keep: FormSteps<unknown>["keep"];
};

/** Files a bug by prompts. */
async function askAndFile(
  values: NewBugValues,
  { isCompared, keep, planned, command }: Asked,
  context: Context,
): Promise<Filed | undefined> {
  const { fillForm } = await CREATE_FORM.load();
  const submit = async (body: JsonObject) => {
    return fileBug(body, { planned, command }, context);
  };
  const steps = { ...formChecks(context), submit, keep, isReviewed: !planned, showsSimilar: isCompared };
  return fillForm(values, steps, context);
}

/** @throws BtError of kind no for a probable duplicate that the user refuses */
async function compare(body: JsonObject, context: Context): Promise<void> {
  await (await import("./probable-duplicates.ts")).checkDuplicates(body, context);
}

/** The catalog for the product of a form, and the validation of its values. */
export function formChecks(context: Context): Pick<FormSteps<unknown>, "catalog" | "body"> {
  const { send, metadata } = context.session;
  const withProduct = enterableProductLoader(send);
  return {
    catalog: async (values) => withProduct(await metadata.catalog(), flagValue(values.product)),
    body: (values) => newBugBody(values, context, withProduct),
  };
}

/** Sends a new bug; in a dry run, only shows the request behind those that are planned. */
async function fileBug(body: JsonObject, { planned, command }: Filing, context: Context): Promise<Filed | undefined> {
  const request = requestFor(CREATE_BUG, body);
  if (planned) {
    const { metadata, send } = context.session;
    await checkReferences([body], await metadata.catalog(), send);
    await showCreatePlan([...planned, request], body, context);
    return undefined;
  }
  const journal = await context.session.writes.journal();
  const response = await journal.deliver(command, { request }).catch(async (error: unknown) => {
    throw withAllMissingFields(error, body, await context.session.metadata.catalog());
  });
  const id = isObject(response) ? response["id"] : undefined;
  if (typeof id !== "number") throw unexpectedShapeError("the number of the new bug");
  return { id, body };
}

/** Body of a new bug from its values, validated against the tracker's metadata. */
async function newBugBody(
  values: NewBugValues,
  context: Context,
  withProduct = enterableProductLoader(context.session.send),
): Promise<JsonObject> {
  const description = flagValue(values.description);
  return withCatalog(context.session, async (known) => {
    const catalog = await withProduct(known, flagValue(values.product));
    const text = description === undefined ? {} : { description: checkedText("description", description) };
    const body = { ...(await bodyOfValues(values, context, catalog)), ...text };
    checkInitialStatus(body, catalog);
    return body;
  });
}

async function showCreatePlan(requests: Request[], body: JsonObject, context: Context): Promise<void> {
  await showPlan(requests, [], context);
  for (const [name, moment] of Object.entries((await readMoments(body, context)) ?? {})) {
    await note(context.io, `${name}: ${moment}, which is ${body[name]} in the tracker's time zone`);
  }
}

async function bodyOfValues(values: NewBugValues, context: Context, catalog: Catalog): Promise<JsonObject> {
  const product = flagValue(values.product);
  const known = product === undefined ? undefined : legalValue(requireField(catalog, "product"), product, { catalog });
  const reading = { ...(await readValueContext(values, context, catalog)), product: known };
  const parameters = CREATE_BUG.parameters.filter(({ name }) => name !== "description");
  const isPublic = flagValues(values.groups).length === 0 && values.groups !== undefined;
  const given = withInitialValues(bodyFrom(isPublic ? { ...values, groups: undefined } : values, parameters, reading));
  const formed = await aliasForm(context.session.send)(given);
  const hint = "without --assigned-to it is the default assignee of the component";
  const named = await resolvePeople(formed, catalog, context.session.send, hint);
  const body: JsonObject = {
    ...(await resolveBugNumbers(named, context.session.send)),
    ...(isPublic ? { groups: [] } : {}),
  };
  const { product: place, component } = body;
  if (typeof place === "string" && typeof component === "string") {
    await checkFlags(body["flags"], { product: place, component }, context.session.send);
  }
  return body;
}

/** Prints the id once the bug was read back, then the fields that were not applied; in JSON, and in chosen fields, as one row. */
async function reportFiled(
  { id, body }: Filed,
  { mustApply = [], isOrComment }: Conditions,
  context: Context,
): Promise<void> {
  const isWhole = isJson(context) || context.output.fields !== undefined;
  const sentence = `created bug ${id}`;
  const missing = await readNotApplied(id, body, context);
  if (isOrComment && !isForCards(context)) await context.io.err(`${sentence}\n`);
  const row = { id: String(id), result: "created" };
  const textOf = (bug: string) => createdBugText(bug, sentence, context);
  await showCreated([isWhole ? { ...row, not_applied: missing } : row], textOf, context);
  const moments = await readMoments(body, context);
  if (moments) await checkStoredTimes(id, moments, context);
  const isError = mustApply.some((name) => missing?.includes(name));
  await reportNotApplied(`created bug ${id}`, missing ?? [], { isStrict: isError, context });
}
