import { moveEntries } from "../../session/move-log.ts";
import { PLAN_COLUMNS } from "../../view/move-rows.ts";
import { chosenColumns, showList } from "../output.ts";
import type { Context, Input } from "../verb.ts";
import { sourceIds } from "./source.ts";
import { surveyOf } from "./survey.ts";
import { resultsFile, withMoving } from "./trackers.ts";

/** `bt migrate plan`: what moves, what has to be created first, what is lost, and the mails that are sent. */
export async function planMove(input: Input, context: Context): Promise<void> {
  await withMoving(input, context, async (moving) => {
    const ids = await sourceIds(moving.input, moving.source);
    const { rows } = await surveyOf(ids, moveEntries(resultsFile(moving)), moving);
    await showList(context, { columns: chosenColumns(PLAN_COLUMNS, context), pages: [rows] });
  });
}
