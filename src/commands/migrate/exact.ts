import { exactBug } from "../../api/migrate/exact-bug.ts";
import { exactSetup, type SourceSetup } from "../../api/migrate/exact-setup.ts";
import type { SourceBug } from "../../api/migrate/moved-bug.ts";
import { GET_ATTACHMENTS } from "../../api/operations/attachments.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { GET_FIELDS, GET_PRODUCTS } from "../../api/operations/tracker.ts";
import { readFields, readProducts } from "../../api/response/response-objects.ts";
import { BtError, usage } from "../../errors.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { MovedIds, MoveStore } from "../../wire/move.ts";
import { attachmentData } from "../attachment/download.ts";
import { bulkProgress } from "../bug/show-results.ts";
import type { Context } from "../verb.ts";
import { confirmMove } from "./confirm.ts";
import { showMoved } from "./moved-table.ts";
import { sourceGroups, sourceProducts } from "./setup.ts";
import { sourceBugs } from "./source.ts";
import { renumberingOf } from "./steps.ts";
import { type EarlierMoves, type Survey, surveyOf } from "./survey.ts";
import { checkInterrupted, type Moving } from "./trackers.ts";

/** Moves bugs into the data of a local tracker, where authors, times and history stay as they are. */
export async function moveExactly(ids: readonly number[], moving: Moving): Promise<void> {
  await withMoveStore(moving, async (store) => {
    const before = store.moved();
    const survey = await surveyOf(ids, earlierIn(before), moving);
    await confirmMove(survey, moving);
    const due = survey.rows.some(({ action }) => action === "create");
    if (due) store.setUp(await setupOf(survey, moving));
    await putAll({ store, survey, moving });
    const moved = store.moved().bug;
    await showMoved(ids, { bugs: moved, wasMoved: (id) => before.bug.has(id), pending: survey.pending }, moving.target);
  });
}

/** Bugs that were moved into a local tracker before. */
export async function movedExactly(moving: Moving): Promise<EarlierMoves> {
  refuseResults(moving);
  const { movedBefore } = await import("../../session/local-moves.ts");
  const { source, target } = moving;
  return earlierIn(movedBefore(target.session.address, source.session.address, target.io));
}

function refuseResults({ input }: Moving): void {
  if (input.flags["results"] === undefined) return;
  throw usage("--results cannot be used with a local target", "its data file has the old and new numbers");
}

async function withMoveStore(moving: Moving, use: (store: MoveStore) => Promise<void>): Promise<void> {
  const { target, source } = moving;
  refuseResults(moving);
  await target.session.catalog(); // creates the data file
  const { openMoveStore } = await import("../../session/local-moves.ts");
  const store = openMoveStore(target.session.address, source.session.address, target.io);
  try {
    await use(store);
  } finally {
    store.close();
  }
}

function earlierIn(before: MovedIds): EarlierMoves {
  const has = (bug: number) => before.bug.has(bug);
  return { has, left: (whole) => (has(whole.bug.id) ? { ...newParts(whole, before), history: [] } : whole) };
}

type Putting = {
  readonly store: MoveStore;
  readonly survey: Survey;
  readonly moving: Moving;
};

async function putAll({ store, survey, moving }: Putting): Promise<void> {
  const { source, target, map } = moving;
  const before = store.moved();
  const bugs = new Map([...before.bug, ...store.reserve("bug", survey.ids)]);
  const attachments = new Map([...before.attachment, ...store.reserve("attachment", survey.census.attachments)]);
  const hasOthers = (bug: number) => before.bug.has(bug) && store.hasOthers(bugs.get(bug) ?? 0);
  const foreseen = { gaps: survey.census.gaps, isUnsure: hasOthers };
  const to = renumberingOf({ bugs, attachments, comments: new Map() }, foreseen, source.session.address);
  const bar = bulkProgress(target);
  let succeeded = 0;
  const putOne = async (whole: SourceBug) => {
    checkInterrupted(moving);
    const isThere = before.bug.has(whole.bug.id);
    const bug = isThere ? newParts(whole, before) : whole;
    if (!isThere || bug.comments.length + bug.attachments.length > 0) {
      const context = { ...to, map, data: await contentsOf(bug, source) };
      store[isThere ? "add" : "put"](bug.bug.id, (comment) => exactBug(bug, context, comment));
    }
    succeeded += 1;
    await bar.draw({ total: survey.ids.length, succeeded, failed: [] });
  };
  for await (const portion of sourceBugs(survey.ids, source, { histories: true })) {
    for (const whole of portion) await putOne(whole);
  }
  await bar.away();
  store.linkDuplicates([...survey.census.originals].flatMap((pair) => linked(pair, bugs)));
}

/** A duplicate and its original by their new ids; none unless both are moved. */
function linked([bug, original]: readonly [number, number], bugs: ReadonlyMap<number, number>) {
  const [one, other] = [bugs.get(bug), bugs.get(original)];
  return one === undefined || other === undefined ? [] : [[one, other] as const];
}

/** A bug with the comments and attachments that are not there yet. */
function newParts(source: SourceBug, before: MovedIds): SourceBug {
  return {
    ...source,
    comments: source.comments.filter(({ id }) => !before.comment.has(id)),
    attachments: source.attachments.filter(({ id }) => !before.attachment.has(id)),
  };
}

/** Contents of the attachments of a bug, in base64. */
async function contentsOf({ attachments }: SourceBug, { session }: Context): Promise<ReadonlyMap<number, string>> {
  const data = new Map<number, string>();
  for (const { id, size } of attachments.filter((one) => one.size !== 0)) {
    const request = requestFor(GET_ATTACHMENTS, { attachment_id: id, include_fields: "id,data" });
    const text = attachmentData(await session.ask(request), id);
    const bytes = Buffer.from(text, "base64").length;
    if (size !== undefined && bytes !== size)
      throw new BtError("reply", `attachment ${id} is incomplete: received ${bytes} of ${size} bytes`);
    data.set(id, text);
  }
  return data;
}

/** Setup of the names that the target lacks, as the source has them. */
async function setupOf(survey: Survey, { source, target, map }: Moving): Promise<JsonObject> {
  const needs = [...survey.census.needs.values()];
  const own = await target.session.ask(requestFor(GET_PRODUCTS, { type: "accessible" })).then(readProducts);
  const setup: SourceSetup = {
    fields: readFields(await source.session.ask(requestFor(GET_FIELDS))),
    products: await sourceProducts(needs, source),
    groups: await sourceGroups(source),
  };
  const defaults = new Map(own.flatMap(({ name, default_milestone: one }) => (one ? [[name, one] as const] : [])));
  const { target: found, members } = survey;
  return exactSetup({ needs, source: setup, target: found, owner: found.me ?? "", defaults, members, map });
}
