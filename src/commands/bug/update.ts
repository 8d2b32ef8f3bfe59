import { askEach, type Outcome } from "../../api/batch.ts";
import { bugPlan } from "../../api/bug-plan.ts";
import { isBugId } from "../../api/bug-ref.ts";
import { type Catalog, fieldOf } from "../../api/catalog.ts";
import { MOST_AT_ONCE } from "../../api/delivery/at-once.ts";
import { stateBefore } from "../../api/delivery/standing.ts";
import { enterableProducts } from "../../api/enterable.ts";
import { legalValue } from "../../api/legal-value.ts";
import { theOneNamed } from "../../api/named-in-error.ts";
import { readChanged } from "../../api/read.ts";
import { withBugNumbers } from "../../api/write/bug-numbers.ts";
import { aimFlags } from "../../api/write/flag-target.ts";
import { checkFlags } from "../../api/write/flag-types.ts";
import { checkedText } from "../../api/write/limits.ts";
import { byWholeValue, changingParts, type Part } from "../../api/write/parts.ts";
import { previewChanges } from "../../api/write/preview.ts";
import { groupsAfter } from "../../api/write/product-groups.ts";
import { checkProductMove } from "../../api/write/product-move.ts";
import { checkBugs } from "../../api/write/refusals.ts";
import { checkNotEmpty, checkSingleBugRules, updateRequest } from "../../api/write/request.ts";
import { wholeEditNames } from "../../api/write/whole-edits.ts";
import { UPDATE_BUG } from "../../api/write-bugs.ts";
import { BtError, usage, withDetails } from "../../errors.ts";
import { plain } from "../../view/text.ts";
import type { Bug } from "../../wire/bug.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { ChangedBug } from "../../wire/history.ts";
import { withCatalog } from "../catalog.ts";
import type { Context } from "../context.ts";
import { readProse } from "../prose.ts";
import { account, bugTargets, type Targets } from "../targets.ts";
import { type Input, textOf } from "../verb.ts";
import { commentPrivacy } from "./comment-privacy.ts";
import { confirmExposure, exposureOf, madePublic, withProductGroups } from "./move-groups.ts";
import { bodyFrom, readingOf } from "./reading.ts";
import { showChanges, showPlan } from "./show-changes.ts";
import { checkStoredTimes, withMoments } from "./stored-times.ts";
import { type Care, careOf, changedSince, matchOf, overwrittenOn, reportOverwritten } from "./unchanged.ts";
import type { Change } from "./update-many.ts";
import { startsMoved } from "./whole-guard.ts";

/** `bt bug update`: reads the bugs, checks the whole change against them, sends it once, and prints what it did. */
export async function update(input: Input, context: Context): Promise<void> {
  const refs = await bugTargets(input.args, context);
  const comment = await readProse({ name: "comment" }, input, context);
  if (input.flags["private"] && comment === undefined) throw nothingPrivate();
  if (input.flags["public"] && input.flags["product"] === undefined)
    throw usage("--public requires --product", "--remove-groups GROUP makes a bug public");
  const { bugs, lost } = await namedBugs(refs, context);
  const withProduct = enterableProducts(context.tracker.ask);
  const body = await withCatalog(context.tracker, async (known) => {
    const catalog = await withProduct(known, textOf(input.flags["product"]));
    return updateBody({ input, context, catalog, bugs, comment });
  });
  checkNotEmpty(body);
  await applyUpdate({ bugs, lost, parts: [{ bugs, body }] }, { input, context });
}

function nothingPrivate(): BtError {
  return usage(
    "--private is about the comment of this change, and there is none",
    "give one with -m, or hide one that is there with --make-private NUMBER",
  );
}

/** Checks an update and sends it, a few bugs as one request a part, or shows with `--dry-run` what it would do. */
export async function applyUpdate(given: Change, around: Around): Promise<void> {
  const { input, context } = around;
  const change = { ...given, parts: await withMoments(await withProductGroups(given.parts, context), context) };
  const { bugs, lost, parts, meant } = change;
  const changing = changingParts(parts);
  for (const part of changing) checkSingleBugRules(part.bugs, part.body);
  const isMany = bugs.length + lost.length > MOST_AT_ONCE;
  if (isMany && !input.flags["dry-run"]) return (await import("./update-many.ts")).updateMany(change, around);
  const { address } = context.tracker;
  await withCatalog(context.tracker, (catalog) => checkBugs(changing, bugs, { catalog, address, meant }));
  const literal = parts.flatMap(byWholeValue);
  if (input.flags["dry-run"]) return showPlans(literal, context);
  await confirmExposure(parts, input, context);
  const care = careOf(input, bugs, context);
  await checkUnchanged({ bugs, parts }, care, context);
  const changed = await sendParts(changingParts(literal), { bugs, care, context });
  await showChanges(inOrder(bugs, changed), literal, context);
  for (const id of madePublic(changed, parts)) await context.io.err(`bt: bug ${id} is visible to everybody now\n`);
  const isGuarded = care !== undefined || parts.some(({ body }) => wholeEditNames(body).length > 0);
  await reportOverwritten(overwrittenOn(changed, bugs), isGuarded, context);
  for (const { bugs: written, body } of changing) await checkStoredTimes(written[0]?.id ?? 0, body, context);
}

async function showPlans(parts: readonly Part[], context: Context): Promise<void> {
  for (const part of parts) {
    const { bugs, body, target, moments } = part;
    const request = changingParts([part]).length > 0 ? updateRequest(idsOf(bugs), body) : undefined;
    const previews = bugs.map((bug) => ({
      bug,
      changes: previewChanges(bug, { ...body, ...moments }, groupsAfter(bug, body, target)),
      part,
    }));
    await showPlan(request, previews, context);
    for (const line of exposureOf([part])) await context.io.err(`bt: ${plain(line)}; this requires --public\n`);
  }
}

type Sending = { readonly bugs: readonly Bug[]; readonly care: Care | undefined; readonly context: Context };

/** Sends each part as one request; what is refused says which bugs are changed all the same and which are not. */
async function sendParts(parts: readonly Part[], sending: Sending): Promise<readonly ChangedBug[]> {
  const changed: ChangedBug[] = [];
  for (const part of parts) {
    const { bugs, body } = part;
    const request = updateRequest(idsOf(bugs), body);
    const write = { request, before: stateBefore(bugs, body), ifMatch: matchOf(bugs, sending.care) };
    const answer = await sending.context.tracker.deliver(write).catch((error: unknown) => {
      throw withEachBug(error, { parts, part, changed });
    });
    changed.push(...readChanged<ChangedBug>(answer, "bugs"));
  }
  return changed;
}

type Refused = { readonly parts: readonly Part[]; readonly part: Part; readonly changed: readonly ChangedBug[] };

/** Adds what became of each of several bugs to a refusal, which names at most one of them. */
function withEachBug(error: unknown, { parts, part, changed }: Refused): unknown {
  if (!(error instanceof BtError) || error.facts.changed === "unknown") return error;
  const ids = parts.flatMap(({ bugs }) => idsOf(bugs));
  if (ids.length < 2) return error;
  const guilty = Number(theOneNamed(idsOf(part.bugs).map(String), error));
  const done = new Set(changed.map(({ id }) => id));
  const lines = ids.map((id) => `bug ${id}: ${done.has(id) ? "" : "not "}changed${id === guilty ? " (refused)" : ""}`);
  const told = withDetails(error, lines);
  return changed.length === 0
    ? told
    : new BtError("partial", told.message, { ...told.facts, changed: "some", cause: error });
}

/** What the tracker changed and what was left unchanged, in the order in which the bugs were named. */
function inOrder(bugs: readonly Bug[], changed: readonly ChangedBug[]): readonly ChangedBug[] {
  const found = new Map(changed.map((one) => [one.id, one]));
  const others = changed.filter(({ id }) => !bugs.some((bug) => bug.id === id));
  return [...bugs.map((bug) => found.get(bug.id ?? 0) ?? asItIs(bug)), ...others];
}

function asItIs({ id, alias, last_change_time }: Bug): ChangedBug {
  return { id: id ?? 0, alias: alias ?? [], last_change_time: last_change_time ?? "", changes: {} };
}

function idsOf(bugs: readonly Bug[]): readonly number[] {
  return bugs.map(({ id }) => id ?? 0);
}

type Around = { readonly input: Input; readonly context: Context };

type Found = Pick<Change, "bugs" | "lost">;

/**
 * The bugs as they stand, with everything that a change is checked against. Of few bugs one that is not there ends the
 * command; of many a number is told with the others, but a word that names nothing may be a slip of anything and ends it.
 */
export async function namedBugs(refs: Targets, context: Context): Promise<Found> {
  const outcomes = await outcomesOf(refs, context);
  const named = parted(outcomes);
  const isSlip = (one: Outcome<Bug>) => "error" in one && one.error.kind === "missing" && !isBugId(one.ref);
  const slips = outcomes.filter(isSlip);
  if (refs.length <= MOST_AT_ONCE || named.bugs.length === 0 || slips.length > 0)
    account([...slips, ...outcomes.filter((one) => !isSlip(one))], { done: "changed", lines: refs.lines });
  return named;
}

/** The bugs that are still to be changed by a job, and those that are not there any more. */
export async function bugsLeft(refs: readonly string[], context: Context): Promise<Found> {
  return parted(await outcomesOf(refs, context));
}

async function outcomesOf(refs: readonly string[], context: Context): Promise<readonly Outcome<Bug>[]> {
  const all: Outcome<Bug>[] = [];
  for await (const outcomes of askEach(refs, bugPlan(["_default"]), context.tracker.ask)) all.push(...outcomes);
  return all;
}

function parted(outcomes: readonly Outcome<Bug>[]): Found {
  const bugs = outcomes.flatMap((outcome) => ("thing" in outcome ? [outcome.thing] : []));
  const lost = outcomes.flatMap((outcome) => ("error" in outcome ? [outcome] : []));
  return { bugs: [...new Map(bugs.map((bug) => [bug.id, bug])).values()], lost };
}

async function checkUnchanged(
  { bugs, parts }: Pick<Change, "bugs" | "parts">,
  care: Care | undefined,
  context: Context,
): Promise<void> {
  const changed = [...(await changedSince(idsOf(bugs), care, context))];
  for (const { bugs: some, body } of parts) changed.push(...(await startsMoved(some, body, context)));
  const [first, ...more] = changed;
  if (!first?.error) return;
  const details = changed.map(({ error }) => error?.message ?? "");
  const { hint = "look at it, then change it without --if-unchanged and --unchanged-since" } = first.error.facts;
  throw new BtError(
    first.error.kind,
    more.length > 0 ? "somebody else changed some of the bugs" : first.error.message,
    { details: more.length > 0 ? details : [], hint, changed: "nothing" },
  );
}

type Parts = {
  readonly input: Input;
  readonly context: Context;
  readonly catalog: Catalog;
  readonly bugs: readonly Bug[];
  readonly comment: string | undefined;
};

async function updateBody({ input, context, catalog, bugs, comment }: Parts): Promise<JsonObject> {
  const products = [...new Set(bugs.map(({ product }) => product ?? undefined))];
  const reading = await readingOf(input, context, catalog);
  const named = textOf(input.flags["product"]);
  const moved = named === undefined ? undefined : legalValue(fieldOf(catalog, "product"), named);
  const target = { ...reading, product: moved ?? (products.length === 1 ? products[0] : undefined) };
  const parameters = UPDATE_BUG.parameters.filter(({ name }) => name !== "comment");
  const body = await withBugNumbers(bodyFrom(input, parameters, target), context.tracker.ask);
  checkProductMove(bugs, body, catalog);
  for (const bug of distinctPlaces(bugs))
    await checkFlags(body["flags"], { ...bug, ...placeIn(body) }, context.tracker.ask);
  const privacy = await commentPrivacy(input, bugs, context);
  return {
    ...body,
    ...(Array.isArray(body["flags"]) ? { flags: aimFlags(bugs, body["flags"]) } : {}),
    ...(privacy ? { comment_is_private: { ...(body["comment_is_private"] as JsonObject), ...privacy } } : {}),
    ...(comment === undefined
      ? {}
      : { comment: { body: checkedText("comment", comment), is_private: input.flags["private"] === true } }),
  };
}

/** One bug for each product and component, since these decide which flags there are. */
function distinctPlaces(bugs: readonly Bug[]): readonly Bug[] {
  return [...new Map(bugs.map((bug) => [`${bug.product}\0${bug.component}`, bug])).values()];
}

function placeIn({ product, component }: JsonObject): Pick<Bug, "product" | "component"> {
  return {
    ...(typeof product === "string" ? { product } : {}),
    ...(typeof component === "string" ? { component } : {}),
  };
}
