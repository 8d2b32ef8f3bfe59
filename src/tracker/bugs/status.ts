import type { Json } from "../../wire/exchange.ts";
import { choiceField, readChoice } from "../bug-fields/choices.ts";
import { EMPTY_COMMENT, type NewComment, readCommentPrivacy } from "../comments/comment.ts";
import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { productParts } from "../products/parts.ts";
import { maySeeBug } from "../users/visibility.ts";
import { asText, readCommentText } from "../values.ts";
import type { Bug, Person, Product } from "./bug.ts";
import { type BugDraft, missingRight, productRights, type UpdateStep, type WriteContext, withBug } from "./draft.ts";
import { findBugId } from "./find.ts";
import { loadBug } from "./load.ts";
import {
  commentRequired,
  DUPLICATE,
  duplicateIdRequired,
  findStatus,
  illegalStatusMove,
  milestoneRequired,
  moveNeedsComment,
  nextStatuses,
  resolutionOnOpenBug,
  resolutionRequired,
  type Status,
  startingStatus,
  UNCONFIRMED,
  unresolvedDependencies,
} from "./workflow.ts";

/** Status, resolution and "duplicate of", which depend on each other. */
export const updateStatus: UpdateStep = (context, draft) => {
  const { input } = context;
  const duplicate = input["dupe_of"];
  if (input["status"] !== undefined) {
    const wanted = { status: asText(input["status"], "status"), resolution: input["resolution"], duplicate };
    return moveTo(context, draft, wanted);
  }
  if (input["resolution"] !== undefined) {
    return changeResolution(context, draft, { resolution: asText(input["resolution"], "resolution"), duplicate });
  }
  return duplicate === undefined ? draft : markDuplicate(context, draft, duplicate);
};

type Closing = { readonly resolution: Json | undefined; readonly duplicate: Json | undefined };

function moveTo(context: WriteContext, draft: BugDraft, wanted: Closing & { readonly status: string }): BugDraft {
  const to = findStatus(context.workflow, wanted.status);
  const from = draft.after.status;
  refuseMove(context, draft, to);
  if (to.is_open) {
    const is_confirmed = to.name !== UNCONFIRMED;
    const opened = withBug(draft, { status: to.name, resolution: "", dupe_of: null, is_confirmed });
    return wanted.duplicate === undefined ? opened : markDuplicate(context, opened, wanted.duplicate);
  }
  const closed = withBug(draft, { status: to.name, ...(to.name === from ? {} : { remaining_time: 0 }) });
  const resolution = wanted.resolution === undefined ? draft.after.resolution : asText(wanted.resolution, "resolution");
  return changeResolution(context, closed, { resolution, duplicate: wanted.duplicate });
}

// Staying is always legal, even in a status that the workflow has no way into.
function refuseMove(context: WriteContext, { before, after, comment }: BugDraft, to: Status): void {
  const from = after.status;
  if (to.name === from) return;
  const isLegal = nextStatuses(context.workflow, from, after.product).some(({ name }) => name === to.name);
  if (!isLegal || missingRight(context, before, { field: "bug_status", from, to: to.name }) !== undefined) {
    throw illegalStatusMove(from, to.name);
  }
  if (moveNeedsComment(context.workflow, from, to.name) && !comment?.text) {
    throw commentRequired({ label: "Status", from, to: to.name });
  }
  refuseMissingMilestone(context.call, after, to.name);
}

type Resolving = { readonly resolution: string; readonly duplicate: Json | undefined };

function changeResolution(
  context: WriteContext,
  draft: BugDraft,
  { resolution: said, duplicate }: Resolving,
): BugDraft {
  const { after } = draft;
  const current = findStatus(context.workflow, after.status);
  if (said.trim() === "" && !current.is_open) throw resolutionRequired(current.name);
  const { name } = readChoice(choiceField(context.call.store, "resolution"), said, after.resolution);
  if (current.is_open) throw resolutionOnOpenBug();
  if (name !== after.resolution) refuseResolution(context, draft, name);
  if (name !== DUPLICATE) return withBug(draft, { resolution: name, dupe_of: null });
  if (duplicate === undefined && after.dupe_of === null) throw duplicateIdRequired();
  const resolved = withBug(draft, { resolution: name });
  return duplicate === undefined ? resolved : markDuplicate(context, resolved, duplicate);
}

function refuseResolution({ call }: WriteContext, { after, comment }: BugDraft, name: string): void {
  refuseOpenDependencies(call, after, name);
  if (isEnabled(call.parameters.commentonchange_resolution) && !comment) {
    throw commentRequired({ label: "Resolution", from: after.resolution, to: name });
  }
}

function markDuplicate(context: WriteContext, draft: BugDraft, sent: Json): BugDraft {
  const { call } = context;
  const text = asText(sent, "dupe_of").trim();
  if (text === "" || text === "0") throw new Fault(400, 50, "Form field dup_id was not defined.");
  const of = findBugId(call, text);
  const { after } = draft;
  if (after.dupe_of === of) return draft;
  refuseDuplicateLoop({ bugId: after.id, of, dupeOf: (id) => dupeOf(call, id) });
  if (isEnabled(call.parameters.commentonduplicate) && !draft.comment) throw commentRequired();
  const marked = withBug(draft, { dupe_of: of });
  const closed = after.resolution === DUPLICATE ? marked : closeAsDuplicate(context, marked);
  return {
    ...closed,
    comment: { ...(draft.comment ?? EMPTY_COMMENT), kind: "duplicate_of", about: of },
    duplicateCc: newDuplicateCc(context, draft, of),
  };
}

function closeAsDuplicate(context: WriteContext, draft: BugDraft): BugDraft {
  return moveTo(context, draft, {
    status: context.call.parameters.duplicate_or_move_bug_status,
    resolution: DUPLICATE,
    duplicate: undefined,
  });
}

function dupeOf({ store }: Call, id: number): number | null {
  return (
    store.get<{ readonly dupe_of: number }>("SELECT dupe_of FROM bug_duplicates WHERE bug_id = ?", [id])?.dupe_of ??
    null
  );
}

// Who filed the duplicate hears of the other bug from now on, unless it is his own or hidden from him.
function newDuplicateCc(
  { call, customs }: WriteContext,
  { after: { creator } }: BugDraft,
  of: number,
): Person | undefined {
  const other = loadBug(call.store, of, customs);
  const isNews = other.creator.id !== creator.id && !other.cc.some(({ id }) => id === creator.id);
  return isNews && maySeeBug(call, creator, other) ? creator : undefined;
}

/** The description of a new bug, which is its first comment; it may be blank. */
export function readBugDescription({ call, input }: WriteContext): NewComment {
  return {
    ...EMPTY_COMMENT,
    text: readCommentText(asText(input["description"], "description")),
    isPrivate: readCommentPrivacy(call, { is_private: input["comment_is_private"] ?? false }),
  };
}

type NewStatusInput = {
  readonly product: Product;
  readonly description: NewComment;
  readonly dependsOn: readonly number[];
};

/** The status of a new bug and, when it is filed closed, its resolution. */
export function readNewStatus(
  context: WriteContext,
  filing: NewStatusInput,
): Pick<Bug, "status" | "resolution" | "is_confirmed"> {
  const status = readStartingStatus(context, filing);
  if (moveNeedsComment(context.workflow, null, status.name) && filing.description.text === "") {
    throw new Fault(400, 32000, "You have to specify a description for this bug.");
  }
  const resolution = readNewResolution(context, status, filing.dependsOn);
  return { status: status.name, resolution, is_confirmed: status.name !== UNCONFIRMED };
}

// Who may not confirm bugs does not choose where they start.
function readStartingStatus({ call, input, workflow }: WriteContext, { product }: NewStatusInput): Status {
  const legal = nextStatuses(workflow, null, product);
  const { mayEdit, mayConfirm } = productRights(call, product.id);
  const isFree = mayEdit || mayConfirm;
  const usual = startingStatus(legal, isFree);
  const status =
    isFree && input["status"] !== undefined ? findStatus(workflow, asText(input["status"], "status")) : usual;
  if (!status || !legal.includes(status)) throw illegalStatusMove(null, status?.name ?? "");
  return status;
}

function readNewResolution(context: WriteContext, status: Status, dependsOn: readonly number[]): string {
  const said = asText(context.input["resolution"], "resolution").trim();
  if (said === "" && status.is_open) return "";
  if (said === "") throw resolutionRequired(status.name);
  const { name } = readChoice(choiceField(context.call.store, "resolution"), said);
  if (status.is_open) throw resolutionOnOpenBug();
  if (name === DUPLICATE) throw duplicateIdRequired();
  refuseOpenDependencies(context.call, { id: 0, depends_on: dependsOn }, name);
  return name;
}

/** Refuses to start work on a bug without a milestone, where the tracker demands one and there are several. */
function refuseMissingMilestone(call: Call, bug: Bug, to: string): void {
  const { usetargetmilestone, musthavemilestoneonaccept } = call.parameters;
  const isDemanded = isEnabled(usetargetmilestone) && isEnabled(musthavemilestoneonaccept) && to === "IN_PROGRESS";
  const hasNone = bug.target_milestone === bug.product.default_milestone;
  if (isDemanded && hasNone && productParts(call.store, bug.product.id, "milestone").length > 1) {
    throw milestoneRequired(bug.id);
  }
}

/** Refuses to call a bug fixed that waits for open ones, where the tracker forbids that. */
function refuseOpenDependencies(call: Call, bug: Pick<Bug, "id" | "depends_on">, resolution: string): void {
  if (!isEnabled(call.parameters.noresolveonopenblockers) || resolution !== "FIXED") return;
  const open = Number(call.store.get(OPEN, [JSON.stringify(bug.depends_on)])?.["count"]);
  if (open > 0) throw unresolvedDependencies(bug.id, open);
}

const OPEN = `
  SELECT count(*) AS count FROM bugs
  JOIN field_values ON field_values.name = bugs.status AND is_open
  WHERE field_id = (SELECT id FROM fields WHERE name = 'bug_status')
    AND bugs.id IN (SELECT value FROM json_each(?))`;

/** A bug that is to become a duplicate of another, and how duplicates lead on. */
export type DuplicateLink = {
  readonly bugId: number;
  readonly of: number;
  readonly dupeOf: (bugId: number) => number | null;
};

/** Refuses to make a bug a duplicate of itself, directly or through others. */
export function refuseDuplicateLoop({ bugId, of, dupeOf }: DuplicateLink): void {
  if (of === bugId) throw new Fault(400, 118, `You cannot mark bug ${bugId} as a duplicate of itself.`);
  const seen = new Set<number>();
  for (let next: number | null = of; next !== null && !seen.has(next); next = dupeOf(next)) {
    seen.add(next);
    if (next === bugId) {
      throw new Fault(
        400,
        118,
        `You cannot mark bug ${bugId} as a duplicate of bug ${of}, because it would create a duplicate loop.`,
      );
    }
  }
}
