import type { Json } from "../../wire/exchange.ts";
import { findBug } from "../bugs/find.ts";
import type { Call } from "../call.ts";
import { Fault } from "../fault.ts";
import { choiceField } from "../fields/choices.ts";
import { isOn } from "../parameters.ts";
import { maySee } from "../people/others.ts";
import { loadBug } from "../record/load.ts";
import type { Person } from "../rules/bug.ts";
import { readChoice } from "../rules/choice.ts";
import { EMPTY_COMMENT } from "../rules/comment.ts";
import { refuseDuplicateLoop } from "../rules/duplicates.ts";
import { DUPLICATE, duplicateIdRequired, resolutionOnOpenBug, resolutionRequired } from "../rules/resolution.ts";
import { asText } from "../rules/text.ts";
import {
  commentRequired,
  findStatus,
  illegalMove,
  needsComment,
  type Status,
  targets,
  UNCONFIRMED,
} from "../rules/workflow.ts";
import { type Context, missingRight } from "./context.ts";
import { refuseOpenDependencies, refuseWithoutMilestone } from "./demands.ts";
import { type Draft, type Step, withBug } from "./draft.ts";

/** Status, resolution and "duplicate of", which depend on each other. */
export const status: Step = (context, draft) => {
  const { input } = context;
  const duplicate = input["dupe_of"];
  if (input["status"] !== undefined) {
    const wanted = { status: asText(input["status"], "status"), resolution: input["resolution"], duplicate };
    return moveTo(context, draft, wanted);
  }
  if (input["resolution"] !== undefined) {
    return resolve(context, draft, { resolution: asText(input["resolution"], "resolution"), duplicate });
  }
  return duplicate === undefined ? draft : markDuplicate(context, draft, duplicate);
};

type Closing = { readonly resolution: Json | undefined; readonly duplicate: Json | undefined };

function moveTo(context: Context, draft: Draft, wanted: Closing & { readonly status: string }): Draft {
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
  return resolve(context, closed, { resolution, duplicate: wanted.duplicate });
}

// Staying is always legal, even in a status that the workflow has no way into.
function refuseMove(context: Context, { before, after, comment }: Draft, to: Status): void {
  const from = after.status;
  if (to.name === from) return;
  const isLegal = targets(context.workflow, from, after.product).some(({ name }) => name === to.name);
  if (!isLegal || missingRight(context, before, { field: "bug_status", from, to: to.name }) !== undefined) {
    throw illegalMove(from, to.name);
  }
  if (needsComment(context.workflow, from, to.name) && !comment?.text) {
    throw commentRequired({ label: "Status", from, to: to.name });
  }
  refuseWithoutMilestone(context.call, after, to.name);
}

type Resolving = { readonly resolution: string; readonly duplicate: Json | undefined };

function resolve(context: Context, draft: Draft, { resolution: said, duplicate }: Resolving): Draft {
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

function refuseResolution({ call }: Context, { after, comment }: Draft, name: string): void {
  refuseOpenDependencies(call, after, name);
  if (isOn(call.parameters.commentonchange_resolution) && !comment) {
    throw commentRequired({ label: "Resolution", from: after.resolution, to: name });
  }
}

function markDuplicate(context: Context, draft: Draft, sent: Json): Draft {
  const { call } = context;
  const text = asText(sent, "dupe_of").trim();
  if (text === "" || text === "0") throw new Fault(400, 50, "Form field dup_id was not defined.");
  const of = findBug(call, text);
  const { after } = draft;
  if (after.dupe_of === of) return draft;
  refuseDuplicateLoop({ bugId: after.id, of, dupeOf: (id) => dupeOf(call, id) });
  if (isOn(call.parameters.commentonduplicate) && !draft.comment) throw commentRequired();
  const marked = withBug(draft, { dupe_of: of });
  const closed = after.resolution === DUPLICATE ? marked : closeAsDuplicate(context, marked);
  return {
    ...closed,
    comment: { ...(draft.comment ?? EMPTY_COMMENT), kind: "duplicate_of", about: of },
    duplicateCc: joins(context, draft, of),
  };
}

function closeAsDuplicate(context: Context, draft: Draft): Draft {
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
function joins({ call, customs }: Context, { after: { creator } }: Draft, of: number): Person | undefined {
  const other = loadBug(call.store, of, customs);
  const isNews = other.creator.id !== creator.id && !other.cc.some(({ id }) => id === creator.id);
  return isNews && maySee(call, creator, other) ? creator : undefined;
}
