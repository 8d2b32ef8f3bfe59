import type { Write } from "../../../api/delivery/outcome.ts";
import { findSimilar, PROBABLE_SCORE } from "../../../api/search/similar.ts";
import { NOT_APPLIED_HINT } from "../../../api/write/changes.ts";
import { checkReferences } from "../../../api/write/checks.ts";
import { requestBody } from "../../../api/write/write-state.ts";
import { flagValue } from "../../../command-flag.ts";
import { BtError, isKind, usageError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import { listing, listText } from "../../../view/listing.ts";
import { palette } from "../../../view/palette.ts";
import { SIMILAR_TABLE_COLUMNS } from "../../../view/similar.ts";
import { bugPage, type JsonObject } from "../../../wire/exchange.ts";
import { readNotApplied } from "../../shared/change/read-back.ts";
import { createdBugText, showCreated, showPlanned } from "../../shared/change/written.ts";
import { openInBrowser, readWebAddress } from "../../shared/output/browser.ts";
import { isForCards, isJson } from "../../shared/output/print.ts";
import { mayPrompt } from "../../shared/prompts.ts";
import { readLongText } from "../../shared/text/input-text.ts";
import type { Context } from "../../verb.ts";
import { askMissing, completeForm, type Filed, type Form, type FormWays, keepUnsent, newForm } from "./create-form.ts";
import type { NewBugInput, NewBugValues } from "./flags.ts";
import { completeBody, missingFields, newBugRequest, unsetFields, withDefaults, withStart } from "./new-bug.ts";

/** Values that a new bug begins with, and those that override them. */
export type StartingValues = { readonly start: NewBugValues; readonly given: NewBugValues };

type Filing = {
  readonly command?: string; // in the journal
  readonly isCompared?: boolean | undefined; // probable duplicates are shown
  readonly mustApply?: readonly string[]; // it is an error without these, such as its groups
  readonly isOrComment?: true; // the command may have commented instead
  readonly earlier?: readonly Write[] | undefined; // sent right before it
};

/** Files a bug, by prompts if values are missing and there is a terminal. False if none is filed. */
export async function fileBug(
  { start, given }: StartingValues,
  input: NewBugInput,
  context: Context,
  filing: Filing,
): Promise<boolean> {
  const { session } = context;
  const { settings } = session;
  const typed = await withDescription({ start, given }, input, context);
  const isPrompted = canPrompt(context);
  const ways = formWays({ ...filing, isCompared: filing.isCompared && isPrompted }, context);
  const form = newForm(withStart(start, typed), ways, context);
  try {
    const catalog = await session.catalog();
    form.values = withDefaults(withStart(start, typed, catalog), settings, catalog);
    const isAsked = isPrompted && [...missingFields(form.values), ...unsetFields(form.values, catalog)].length > 0;
    if (input.dryRun) return await showDryRun(form, isAsked, filing);
    return await reportFiled(await completeForm(form, isAsked), context, { ...filing, ...input });
  } catch (error) {
    form.isTyped ||= isPrompted && isKind(error, "network", "busy");
    if (!input.dryRun) await keepUnsent(form);
    throw error;
  }
}

function canPrompt({ io, session }: Context): boolean {
  return io.terminal.stdout && mayPrompt(io, session.settings);
}

/** The given values with the description of a file, of stdin or of the editor. */
async function withDescription({ start, given }: StartingValues, input: NewBugInput, context: Context) {
  const text = { name: "description", start: flagValue(start.description) ?? "", typed: flagValue(given.description) };
  const description = await readLongText(text, input, context);
  if (description === undefined && text.start === "" && context.io.isFed())
    throw usageError("no description, and stdin is not read", NO_DESCRIPTION);
  return description === undefined ? given : { ...given, description };
}

const NO_DESCRIPTION = "-F - reads it from stdin; --description '' files the bug without one";

function formWays({ command = "bug create", isCompared, earlier = [] }: Filing, context: Context): FormWays {
  const { session } = context;
  const before = [...earlier];
  return {
    send: async (request) => {
      const { deliver } = await session.journal();
      if (before.length > 0) await checkReferences([requestBody(request)], await session.catalog(), session.send);
      for (let write = before.shift(); write; write = before.shift()) await deliver(command, write);
      return deliver(command, { request });
    },
    keep: async (request) => {
      const { begin } = await session.journal();
      return begin({ command: "bug create", writes: [{ request }], draft: true }, async ({ name }) => name);
    },
    compare: isCompared ? comparison(context) : undefined,
  };
}

/**
 * Shows probable duplicates of a new bug on stderr, once for its summary and place; false if it shows none. That the tracker
 * cannot be searched is no reason not to file a bug, so such an error is only shown.
 */
function comparison(context: Context): (bug: NewBugValues | JsonObject) => Promise<boolean> {
  const { io, output, session } = context;
  let compared = "";
  return async (bug) => {
    const [summary = "", product = "", component = ""] = [bug.summary, bug.product, bug.component].map((value) =>
      String(value ?? "").trim(),
    );
    const key = [summary, product, component].join("\n").toLowerCase();
    if (key === compared) return false;
    compared = key;
    const subject = { summary, products: product ? [product] : [], ...(component && { component }) };
    const similar = await findSimilar(subject, session.searches).catch(async (error: unknown) => {
      if (!(error instanceof BtError) || io.signal.aborted) throw error;
      await note(io, `could not look for similar bugs: ${error.message}`);
      return [];
    });
    const found = similar.filter(({ score }) => score >= PROBABLE_SCORE).slice(0, MAX_SHOWN);
    if (found.length === 0) return false;
    const table = listing("table", SIMILAR_TABLE_COLUMNS, output.view);
    await io.err(`${palette(output.view).title("Similar bugs")}\n${listText(found, table)}\n`);
    return true;
  };
}

const MAX_SHOWN = 5;

async function showDryRun(form: Form, isAsked: boolean, { earlier = [] }: Filing): Promise<false> {
  const { context, withProduct } = form;
  const { session } = context;
  if (isAsked) await askMissing(form);
  const body = await completeBody(form.values, withProduct, context);
  await checkReferences([body], await session.catalog(), session.send);
  await showPlanned([...earlier.map(({ request }) => request), await newBugRequest(body, context)], [], context);
  return false;
}

/**
 * Sends a draft, on a terminal after prompts and a review, unless the user keeps it.
 * @throws BtError of kind usage without a prompt, naming what the draft lacks
 */
export async function sendDraft(values: NewBugValues, ways: FormWays, context: Context): Promise<void> {
  const isAsked = canPrompt(context);
  if (!isAsked && missingFields(values).length === 0 && !values.description)
    throw usageError("the draft lacks a description", "on a terminal, bt job send prompts for it");
  const form = newForm(values, ways, context);
  const filed = await completeForm(form, isAsked).catch(async (error: unknown) => {
    await keepUnsent(form);
    throw error;
  });
  await reportFiled(filed, context);
}

/**
 * Prints the id once the bug was read back, then the fields that were not applied. False without a bug.
 * @throws BtError of kind partial if one of those must be applied
 */
async function reportFiled(
  filed: Filed | undefined,
  context: Context,
  { mustApply = [], isOrComment, web }: Filing & { readonly web?: boolean } = {},
): Promise<boolean> {
  if (filed === undefined) return false;
  const { id, body } = filed;
  const sentence = `created bug ${id}`;
  const missing = await readNotApplied(id, body, context);
  if (isOrComment && !isForCards(context)) await note(context.io, sentence);
  const isWhole = isJson(context) || context.output.fields !== undefined;
  const row = { id: String(id), result: "created", ...(isWhole && { not_applied: missing }) };
  await showCreated([row], (bug) => createdBugText(bug, sentence, context), context);
  const told = `${sentence}; not applied: ${missing?.join(", ")}`;
  if (mustApply.some((name) => missing?.includes(name)))
    throw new BtError("partial", told, { hint: NOT_APPLIED_HINT, changed: "some" });
  if (missing?.length) await note(context.io, told);
  if (web) await openInBrowser(bugPage(await readWebAddress(context), id), context);
  return true;
}
