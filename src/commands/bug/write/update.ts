import { type BatchOutcome, requestEach } from "../../../api/batch.ts";
import { bugPlan } from "../../../api/bug-numbers.ts";
import { bugNamedInError, isBugId } from "../../../api/bug-ref.ts";
import { stateBefore } from "../../../api/delivery/write-state.ts";
import { enterableProducts, type WithProduct } from "../../../api/enterable-products.ts";
import { MAX_ATOMIC_BUGS } from "../../../api/operations/write-bugs.ts";
import { readChangedItems } from "../../../api/response/response-objects.ts";
import { wholeEditNames } from "../../../api/write/body.ts";
import { checkBugs, checkNotEmpty, checkSingleBugRules } from "../../../api/write/checks.ts";
import { doubtsOf, overwrittenOn } from "../../../api/write/overwritten.ts";
import type { UpdatePart } from "../../../api/write/update-part.ts";
import { changingParts, splitByEditBase, updateRequest } from "../../../api/write/update-request.ts";
import { BtError, usage, withDetails } from "../../../errors.ts";
import { flagValue } from "../../../session/flags.ts";
import { withCatalog } from "../../../session/session.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { ChangedBug } from "../../../wire/resources.ts";
import { checkStoredTimes, showChanges, withMoments } from "../../shared/changes.ts";
import { hasProse } from "../../shared/flags.ts";
import { bugTargets, reportOutcomes, type Targets } from "../../shared/targets.ts";
import type { BulkChange } from "../../shared/update-many.ts";
import { updateBody } from "../../shared/write-body.ts";
import type { Context, Input } from "../../verb.ts";

/** `bt bug update`: reads the bugs, checks the whole update against them, sends it, and prints the changes. */
export async function updateBugs(input: Input, context: Context): Promise<void> {
  const refs = await bugTargets(input.args, context);
  const comment = await commentGiven(input, context);
  if (input.flags["private"] && comment === undefined) throw nothingPrivate();
  if (input.flags["allow-no-groups"] && input.flags["product"] === undefined)
    throw usage("--allow-no-groups requires --product", "--remove-groups GROUP makes a bug public");
  const { bugs, lost } = await bugsToUpdate(refs, context);
  const product = flagValue(input.flags["product"]);
  const withProduct: WithProduct =
    product === undefined ? async (catalog) => catalog : enterableProducts(context.session.send);
  const body = await withCatalog(context.session, async (known) => {
    const catalog = await withProduct(known, product);
    return updateBody({ input, context, catalog, bugs, comment });
  });
  checkNotEmpty(body);
  await applyUpdate({ bugs, lost, parts: [{ bugs, body }] }, { input, context });
}

async function commentGiven(input: Input, context: Context): Promise<string | undefined> {
  if (!hasProse(input, flagValue(input.flags["comment"]))) return undefined;
  return (await import("../../shared/input-text.ts")).readLongText(
    { name: "comment", typed: flagValue(input.flags["comment"]) },
    input,
    context,
  );
}

function nothingPrivate(): BtError {
  return usage(
    "--private requires a comment",
    "add one with -m, or use --comment-is-private COMMENT=yes for an existing comment",
  );
}

/** Checks an update and sends it, one request per part, or prints the plan with `--dry-run`. */
export async function applyUpdate(given: BulkChange, around: Around): Promise<void> {
  const { input, context } = around;
  const moves = mayChangeGroups(given.parts) ? await import("../../shared/move-groups.ts") : undefined;
  const moved = (await moves?.withProductGroups(given.parts, context)) ?? given.parts;
  const change = { ...given, parts: await withMoments(moved, context) };
  const { bugs, lost, parts, meant } = change;
  const changing = changingParts(parts);
  for (const part of changing) checkSingleBugRules(part.bugs, part.body);
  const isMany = bugs.length + lost.length > MAX_ATOMIC_BUGS;
  if (isMany && !input.flags["dry-run"])
    return (await import("../../shared/update-many.ts")).updateMany(change, around);
  const { address } = context.session;
  await withCatalog(context.session, (catalog) => checkBugs(changing, bugs, { catalog, address, meant }));
  const literal = parts.flatMap(splitByEditBase);
  if (input.flags["dry-run"]) return (await import("../../shared/update-plan.ts")).showPlans(literal, context);
  await moves?.confirmExposure(parts, input, context);
  await sendUpdate({ bugs, parts }, literal, around);
}

/** Sends the parts of an update, and prints the changes. */
async function sendUpdate(
  { bugs, parts }: Pick<BulkChange, "bugs" | "parts">,
  literal: readonly UpdatePart[],
  { input, context }: Around,
): Promise<void> {
  const guard = isGuarded(parts, input) ? await import("../../shared/precondition.ts") : undefined;
  const precondition = await guard?.metPrecondition({ bugs, parts }, input, context);
  const tokenOf = (some: readonly Bug[]) => guard?.matchOf(some, precondition);
  const changed = await sendParts(changingParts(literal), { bugs, tokenOf, context });
  const verified = await withIgnored(changed, literal, context);
  await showChanges(inOrder(bugs, changed), verified, context);
  await reportEffects(changed, { bugs, parts: verified, isGuarded: guard !== undefined }, context);
}

/** The parts with the fields that the tracker ignored; what the response does not report is read back. */
export async function withIgnored(
  changed: readonly ChangedBug[],
  parts: readonly UpdatePart[],
  context: Context,
): Promise<readonly UpdatePart[]> {
  const doubts = doubtsOf(changed, parts);
  if (doubts.length === 0) return parts;
  const { ignored } = await (await import("../../shared/ignored-fields.ts")).readBackFields(doubts, context);
  return parts.map((part) => ({ ...part, ignored }));
}

/** An update that was sent; with `isGuarded`, changes of others that it overwrote are an error. */
type SentUpdate = Pick<BulkChange, "bugs" | "parts"> & { readonly isGuarded: boolean };

/**
 * Reports side effects of an update, and values that were not applied.
 * @throws BtError of kind collision for changes of others that were overwritten, of kind partial for values that the
 * tracker ignored or changed
 */
export async function reportEffects(
  changed: readonly ChangedBug[],
  { bugs, parts, isGuarded: isProtected }: SentUpdate,
  context: Context,
): Promise<void> {
  const moves = mayChangeGroups(parts) ? await import("../../shared/move-groups.ts") : undefined;
  for (const id of moves?.madePublic(changed, parts) ?? []) await context.io.err(`bt: bug ${id} is now public\n`);
  const overwritten = overwrittenOn(changed, bugs);
  if (overwritten.length > 0)
    await (await import("../../shared/precondition.ts")).reportOverwritten(overwritten, isProtected, context);
  for (const {
    bugs: [first],
    body,
  } of changingParts(parts)) {
    if (first) await checkStoredTimes(first.id, body, context);
  }
  const [ignored] = parts.flatMap((part) => part.ignored ?? []);
  if (ignored) (await import("../../shared/ignored-fields.ts")).refuseIgnored(ignored);
}

function mayChangeGroups(parts: readonly UpdatePart[]): boolean {
  return parts.some(({ body }) => body["product"] !== undefined || body["groups"] !== undefined);
}

/** True if the update is not to overwrite changes of others: it is conditional, or sets values as a whole. */
function isGuarded(parts: readonly UpdatePart[], { flags }: Input): boolean {
  const isConditional = Boolean(flags["if-unchanged"]) || flags["unchanged-since"] !== undefined;
  return isConditional || parts.some(({ body }) => wholeEditNames(body).length > 0);
}

type Sending = {
  readonly bugs: readonly Bug[];
  readonly tokenOf: (bugs: readonly Bug[]) => string | undefined;
  readonly context: Context;
};

/** Sends each part as one request; a refusal states which bugs were changed. */
async function sendParts(parts: readonly UpdatePart[], sending: Sending): Promise<readonly ChangedBug[]> {
  const changed: ChangedBug[] = [];
  for (const part of parts) {
    const { bugs, body } = part;
    const request = updateRequest(idsOf(bugs), body);
    const write = { request, before: stateBefore(bugs, body), ifMatch: sending.tokenOf(bugs) };
    const writer = await sending.context.session.writer();
    const answer = await writer.deliver(write).catch((error: unknown) => {
      throw withEachBug(error, { parts, part, changed });
    });
    changed.push(...readChangedItems<ChangedBug>(answer, "bugs"));
  }
  return changed;
}

type Refused = {
  readonly parts: readonly UpdatePart[];
  readonly part: UpdatePart;
  readonly changed: readonly ChangedBug[];
};

/** Adds the outcome of each bug to a refusal, which names at most one of them. */
function withEachBug(error: unknown, { parts, part, changed }: Refused): unknown {
  if (!(error instanceof BtError) || error.facts.changed === "unknown") return error;
  const ids = parts.flatMap(({ bugs }) => idsOf(bugs));
  if (ids.length < 2) return error;
  const guilty = Number(bugNamedInError(idsOf(part.bugs).map(String), error));
  const done = new Set(changed.map(({ id }) => id));
  const lines = ids.map((id) => `bug ${id}: ${done.has(id) ? "" : "not "}changed${id === guilty ? " (refused)" : ""}`);
  const told = withDetails(error, lines);
  return changed.length === 0
    ? told
    : new BtError("partial", told.message, { ...told.facts, changed: "some", cause: error });
}

/** Changed and unchanged bugs, in the given order. */
function inOrder(bugs: readonly Bug[], changed: readonly ChangedBug[]): readonly ChangedBug[] {
  const found = new Map(changed.map((one) => [one.id, one]));
  const others = changed.filter(({ id }) => !bugs.some((bug) => bug.id === id));
  return [...bugs.map((bug) => found.get(bug.id) ?? asItIs(bug)), ...others];
}

function asItIs({ id, alias, last_change_time }: Bug): ChangedBug {
  return { id: id, alias: alias ?? [], last_change_time: last_change_time ?? "", changes: {} };
}

function idsOf(bugs: readonly Bug[]): readonly number[] {
  return bugs.map(({ id }) => id);
}

type Around = { readonly input: Input; readonly context: Context };

type Found = Pick<BulkChange, "bugs" | "lost">;

/**
 * The bugs as they are, with all fields that checks need. Of few bugs, a missing one ends the command; of many, a
 * missing id is reported with the others, but an unknown word may be any typo and ends it.
 */
export async function bugsToUpdate(refs: Targets, context: Context): Promise<Found> {
  const outcomes = await outcomesOf(refs, context);
  const named = foundOf(outcomes);
  const isSlip = (one: BatchOutcome<Bug>) => "error" in one && one.error.kind !== "auth" && !isBugId(one.ref);
  const slips = outcomes.filter(isSlip);
  if (refs.length <= MAX_ATOMIC_BUGS || named.bugs.length === 0 || slips.length > 0)
    reportOutcomes([...slips, ...outcomes.filter((one) => !isSlip(one))], { done: "changed", lines: refs.lines });
  return named;
}

/** Bugs that a job has still to update, and those that no longer exist. */
export async function bugsLeft(refs: readonly string[], context: Context): Promise<Found> {
  return foundOf(await outcomesOf(refs, context));
}

async function outcomesOf(refs: readonly string[], context: Context): Promise<readonly BatchOutcome<Bug>[]> {
  const all: BatchOutcome<Bug>[] = [];
  for await (const outcomes of requestEach(refs, bugPlan(["_default"]), context.session.send)) all.push(...outcomes);
  return all;
}

function foundOf(outcomes: readonly BatchOutcome<Bug>[]): Found {
  const bugs = outcomes.flatMap((outcome) => ("thing" in outcome ? [outcome.thing] : []));
  const lost = outcomes.flatMap((outcome) => ("error" in outcome ? [outcome] : []));
  return { bugs: [...new Map(bugs.map((bug) => [bug.id, bug])).values()], lost };
}
