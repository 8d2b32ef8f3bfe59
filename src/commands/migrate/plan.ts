import { MOVE_RESULTS } from "../../session/results/move-log.ts";
import { resultsEntries } from "../../session/results/results-log.ts";
import { PLAN_COLUMNS } from "../../view/move-rows.ts";
import { chosenColumns, showList } from "../output.ts";
import type { Context, Input } from "../verb.ts";
import { movedExactly } from "./exact.ts";
import { sourceIds } from "./source.ts";
import { type EarlierMoves, earlierSteps, surveyOf } from "./survey.ts";
import { isExact, type Moving, resultsFile, withMoving } from "./trackers.ts";

/** `bt migrate plan`: what moves, what has to be created first, what is lost, and the mails that are sent. */
export async function planMove(input: Input, context: Context): Promise<void> {
  await withMoving(input, context, async (moving) => {
    const ids = await sourceIds(moving.input, moving.source);
    const { rows } = await surveyOf(ids, await earlierMoves(moving), moving);
    await showList(context, { columns: chosenColumns(PLAN_COLUMNS, context), pages: [rows] });
  });
}

async function earlierMoves(moving: Moving): Promise<EarlierMoves> {
  if (isExact(moving)) return movedExactly(moving);
  return earlierSteps(resultsEntries(resultsFile(moving), MOVE_RESULTS));
}
