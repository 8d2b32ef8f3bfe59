import { confirmedStatus, UNCONFIRMED } from "../../../api/write/moves.ts";
import { changeBugs, editsOf, readBugsAndComment } from "../../shared/change/change.ts";
import type { Context } from "../../verb.ts";
import type { CommentedUpdateInput } from "./flags.ts";
import { statusEdit } from "./status-edit.ts";

/** `bt bug confirm`: sets the first confirmed status on unconfirmed bugs. */
export async function confirmBugs(input: CommentedUpdateInput, context: Context): Promise<void> {
  const { named, comment } = await readBugsAndComment(input, context);
  const to = confirmedStatus(await context.session.metadata.catalog());
  const move = { to, from: [UNCONFIRMED], word: "unconfirmed" };
  await changeBugs(
    editsOf(named, (bug) => statusEdit(bug, move, comment)),
    input,
    context,
  );
}
