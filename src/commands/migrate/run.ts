import { mkdir, rm } from "node:fs/promises";
import type { PlanRow } from "../../api/migrate/plan.ts";
import { BtError } from "../../errors.ts";
import { type MoveLog, withMoveLog } from "../../session/move-log.ts";
import { MOVED_COLUMNS, type MovedRow } from "../../view/move-rows.ts";
import { plain } from "../../view/text.ts";
import { chosenColumns, showList } from "../output.ts";
import { confirmationPrompt } from "../prompts.ts";
import type { Context, Input } from "../verb.ts";
import { finishMoved } from "./finish-moved.ts";
import { createMoved, moveDiscussion } from "./move-bug.ts";
import { eachBug, failure, type Mover } from "./mover.ts";
import { createSetup } from "./setup.ts";
import { sourceIds } from "./source.ts";
import { movingSteps } from "./steps.ts";
import { compareTarget, isDone, type Survey, surveyOf } from "./survey.ts";
import { type Moving, resultsFile, withMoving } from "./trackers.ts";

/** `bt migrate run`: moves bugs after showing what is lost, or continues a move. */
export async function runMove(input: Input, context: Context): Promise<void> {
  await withMoving(input, context, async (moving) => {
    const ids = await sourceIds(moving.input, moving.source);
    const file = resultsFile(moving);
    await withMoveLog(file, context.io, (log) => moveWith({ log, file, ids }, moving));
  });
}

type Asked = { readonly log: MoveLog; readonly file: string; readonly ids: readonly number[] };

async function moveWith({ log, file, ids }: Asked, moving: Moving): Promise<void> {
  const { source, target } = moving;
  const [from, to] = [source.session.address, target.session.address];
  const steps = movingSteps({ from, to, writer: await target.session.writer(), log });
  const planned = await surveyOf(ids, steps.entries, moving);
  await target.io.err(`${plain(`results: ${file}`)}\n`);
  const isCreated = planned.rows.some(({ action }) => action === "create");
  if (!isCreated) refuseMissing(planned.rows);
  await confirmMove(planned, moving);
  const survey = await withSetup(planned, moving);
  const files = `${file}.files`;
  await mkdir(files, { recursive: true, mode: 0o700 });
  const mover: Mover = { moving, survey, steps, files, failed: new Map(), notes: new Map() };
  const before = new Map(survey.ids.map((id) => [id, isDone(steps.entries, id, "end")]));
  await moveAll(mover);
  await rm(files, { recursive: true, force: true });
  const rows = survey.ids.map((id) => rowOf(id, before.get(id) === true, mover));
  await showList(target, { columns: chosenColumns(MOVED_COLUMNS, target), pages: [rows] });
  const error = failure(mover);
  if (error) throw error;
}

/** Creates all bugs, then their comments and attachments, then what names other bugs. */
async function moveAll(mover: Mover): Promise<void> {
  const { survey, steps } = mover;
  const { ids, pending } = survey;
  const isLeft = (step: string) => (id: number) => !isDone(steps.entries, id, step);
  await eachBug(ids.filter(isLeft("create")), mover, createMoved);
  await eachBug(
    ids.filter((id) => pending.has(id) || isLeft("end")(id)),
    mover,
    moveDiscussion,
  );
  await eachBug(ids.filter(isLeft("end")), mover, finishMoved);
}

function refuseMissing(rows: readonly PlanRow[]): void {
  const missing = rows.filter(({ action }) => action === "missing");
  if (missing.length === 0) return;
  const one = missing.length === 1 ? "1 name is" : `${missing.length} names are`;
  throw new BtError("refused", `${one} missing in the target`, {
    details: missing.map(lineOf),
    hint: "an administrator creates them, or --map FILE names others; bt migrate plan shows everything",
    changed: "nothing",
  });
}

function lineOf({ what, name, count, note }: PlanRow): string {
  const bugs = count === 1 ? "1 bug" : `${count} bugs`;
  return plain(`${what} ${name} (${bugs})${note === "" ? "" : `: ${note}`}`);
}

/** Shows the plan and prompts; without a terminal `--yes` is required. */
async function confirmMove({ rows }: Survey, { input, target }: Moving): Promise<void> {
  const { io, session } = target;
  const due = rows.filter(({ action }) => action === "move" || action === "create");
  if (input.flags["yes"] || due.length === 0) return;
  const lines = rows.map((row) => `${row.action} ${lineOfPlan(row)}`);
  const confirm = confirmationPrompt(input, io, session.settings);
  const what = `${due[0]?.count ?? 0} ${due[0]?.what ?? "bugs"}`;
  if (!confirm) throw new BtError("guard", `${what} to move`, { details: lines, hint: HINT, changed: "nothing" });
  await io.err(`${lines.map((line) => `    ${line}`).join("\n")}\n`);
  if (!(await confirm(`move to ${plain(session.address)}?`)))
    throw new BtError("guard", "no changes made", { changed: "nothing" });
}

const HINT = "--yes skips the prompt; bt migrate plan shows the same as a table";

function lineOfPlan({ what, name, count, note }: PlanRow): string {
  return plain([what, name, String(count), note && `(${note})`].filter((part) => part !== "").join(" "));
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

function rowOf(bug: number, wasDone: boolean, { steps, survey, failed, notes }: Mover): MovedRow {
  const id = steps.numbers.bugs.get(bug) ?? null;
  const error = failed.get(bug)?.message;
  const missing = notes.get(bug) ?? [];
  const again = survey.pending.has(bug) ? "updated" : "unchanged";
  const done = wasDone ? again : "moved";
  const result = error === undefined ? done : "failed";
  return {
    old_id: bug,
    id,
    result: missing.length > 0 ? `${result}, not applied: ${missing.join(", ")}` : result,
    error,
  };
}
