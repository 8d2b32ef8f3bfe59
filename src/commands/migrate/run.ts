import { mkdir, rm } from "node:fs/promises";
import { MOVE_RESULTS, type MoveLog, makeMoveFolder } from "../../session/results/move-log.ts";
import { withResultsLog } from "../../session/results/results-log.ts";
import { plain } from "../../view/text.ts";
import type { Context, Input } from "../verb.ts";
import { confirmMove, refuseMissing } from "./confirm.ts";
import { moveExactly } from "./exact.ts";
import { finishMoved } from "./finish-moved.ts";
import { createMoved, moveDiscussion } from "./move-bug.ts";
import { showMoved } from "./moved-table.ts";
import { eachBug, failure, type Mover } from "./mover.ts";
import { createSetup } from "./setup.ts";
import { sourceIds } from "./source.ts";
import { isDoneStep, movingSteps } from "./steps.ts";
import { compareTarget, earlierSteps, type Survey, surveyOf } from "./survey.ts";
import { isExact, type Moving, resultsFile, withMoving } from "./trackers.ts";

/** `bt migrate run`: moves bugs after showing what is lost, or continues a move. */
export async function runMove(input: Input, context: Context): Promise<void> {
  await withMoving(input, context, async (moving) => {
    const ids = await sourceIds(moving.input, moving.source);
    if (isExact(moving)) return moveExactly(ids, moving);
    const file = resultsFile(moving);
    if (moving.input.flags["results"] === undefined) makeMoveFolder(file);
    await withResultsLog({ file, kind: MOVE_RESULTS }, context.io, (log) => moveWith({ log, file, ids }, moving));
  });
}

type LoggedMove = { readonly log: MoveLog; readonly file: string; readonly ids: readonly number[] };

async function moveWith({ log, file, ids }: LoggedMove, moving: Moving): Promise<void> {
  const { source, target } = moving;
  const [from, to] = [source.session.address, target.session.address];
  const steps = movingSteps({ from, to, writer: await target.session.writer(), log });
  const planned = await surveyOf(ids, earlierSteps(steps.entries), moving);
  await target.io.err(`${plain(`results: ${file}`)}\n`);
  refuseMissing(planned.rows);
  await confirmMove(planned, moving);
  const survey = await withSetup(planned, moving);
  const files = `${file}.files`;
  await mkdir(files, { recursive: true, mode: 0o700 });
  const mover: Mover = { moving, survey, steps, files, failed: new Map(), notes: new Map() };
  const before = new Map(survey.ids.map((id) => [id, isDoneStep(steps.entries, id, "end")]));
  await moveAll(mover);
  await rm(files, { recursive: true, force: true });
  const { failed, notes } = mover;
  const wasMoved = (id: number) => before.get(id) === true;
  const moved = { bugs: steps.numbers.bugs, wasMoved, pending: survey.pending, failed, notes };
  await showMoved(survey.ids, moved, target);
  const error = failure(mover);
  if (error) throw error;
}

/** Creates all bugs, then their comments and attachments, then what names other bugs. */
async function moveAll(mover: Mover): Promise<void> {
  const { survey, steps } = mover;
  const { ids, pending } = survey;
  const isLeft = (step: string) => (id: number) => !isDoneStep(steps.entries, id, step);
  await eachBug(ids.filter(isLeft("create")), mover, createMoved);
  await eachBug(
    ids.filter((id) => pending.has(id) || isLeft("end")(id)),
    mover,
    moveDiscussion,
  );
  await eachBug(ids.filter(isLeft("end")), mover, finishMoved);
}

/** The survey after everything was created that can be. */
async function withSetup(survey: Survey, moving: Moving): Promise<Survey> {
  const due = survey.rows.filter(({ action }) => action === "create");
  if (due.length === 0) return survey;
  await createSetup(due, survey, moving);
  const after = { ...survey, ...(await compareTarget(moving, survey.census)) };
  refuseMissing(after.rows.map((row) => (row.action === "create" ? { ...row, action: "missing" as const } : row)));
  return after;
}
