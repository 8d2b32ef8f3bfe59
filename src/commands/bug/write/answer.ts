import { flagsWaitingFor } from "../../../api/write/flags.ts";
import { usageError } from "../../../errors.ts";
import { loginOrFail } from "../../../session/session.ts";
import { changeBugs, editsOf, readBugsAndComment } from "../../shared/change/change.ts";
import type { Edit } from "../../shared/change/plan.ts";
import { withEditorIfNone } from "../../shared/text.ts";
import type { Context } from "../../verb.ts";
import type { CommentedUpdateInput } from "./flags.ts";
import { needinfoFlagName } from "./needinfo.ts";

/** `bt bug answer`: clears the requests that wait for the user, with a comment. */
export async function answerRequests(input: CommentedUpdateInput, context: Context): Promise<void> {
  const login = await loginOrFail(context.session);
  const name = needinfoFlagName(context);
  const { named, comment } = await readBugsAndComment(withEditorIfNone(input, input.comment, context), context);
  if (comment["comment"] === undefined) throw usageError("missing comment", "use -m, --body-file or --editor");
  const edits = editsOf(named, (bug): Edit => {
    const flags = flagsWaitingFor(login, name, bug.flags).map(({ id }) => ({ id, status: "X" }));
    if (flags.length > 0) return { bug, body: { flags, ...comment } };
    return { bug, why: `${name} is not requested from ${login}`, dropped: Object.keys(comment) };
  });
  await changeBugs(edits, input, context);
}
