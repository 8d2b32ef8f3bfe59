import { readBug } from "../../../api/bugs/bug-numbers.ts";
import { fetchComments } from "../../../api/bugs/bug-parts.ts";
import { isSameLogin } from "../../../api/people.ts";
import { flagsWaitingFor } from "../../../api/write/flags.ts";
import { usageError } from "../../../errors.ts";
import { loginOrFail } from "../../../session/session.ts";
import { quotedComment } from "../../../view/comments.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { changeBugs, editsOf, readBugsAndComment } from "../../shared/change/change.ts";
import type { Edit } from "../../shared/change/edit.ts";
import { readOneTarget } from "../../shared/targets.ts";
import { withEditorIfNone } from "../../shared/text/input-text.ts";
import type { Context } from "../../verb.ts";
import type { CommentedUpdateInput } from "./flags.ts";
import { needinfoFlagName, readFlagTypeFinder } from "./needinfo-flag.ts";

/** `bt bug answer`: clears the requests that wait for the user, with a comment. */
export async function answerRequests(input: CommentedUpdateInput, context: Context): Promise<void> {
  const login = await loginOrFail(context.session);
  const name = needinfoFlagName(context);
  const source = withEditorIfNone(input, input.comment, context);
  const question = source.editor ? await readQuestion(source.args, { name, login }, context) : "";
  const { named, comment } = await readBugsAndComment(source, context, question);
  if (comment["comment"] === undefined) {
    const other = `without one: bt bug update BUG --flag '${name}X(${login})'`;
    throw usageError("missing comment", `use -m, --body-file or --editor; ${other}`);
  }
  const waiting = ({ flags }: Bug) => flagsWaitingFor(login, name, flags);
  const lacking = named.bugs.filter(({ flags }) => !flags?.some((flag) => flag.name === name));
  await readFlagTypeFinder(lacking, name, context); // refuses a flag that a product or component does not have
  const edits = editsOf(named, (bug): Edit => {
    const flags = waiting(bug).map(({ id }) => ({ id, status: "X" }));
    if (flags.length > 0) return { bug, body: { flags, ...comment } };
    return { bug, why: `${name} is not requested from ${login}`, dropped: Object.keys(comment) };
  });
  await changeBugs(edits, input, context);
}

/** The question to a user, quoted: the comment that came with the newest request on a bug; empty for several bugs. */
async function readQuestion(
  words: readonly string[],
  { name, login }: { readonly name: string; readonly login: string },
  context: Context,
): Promise<string> {
  if (words.length !== 1) return "";
  const { send } = context.session;
  const bug = await readBug(await readOneTarget(words[0] ?? "", context), ["flags"], send);
  const request = flagsWaitingFor(login, name, bug.flags).at(-1);
  if (request === undefined) return "";
  const question = (await fetchComments(bug.id, send)).find(({ creator, time }) => {
    return isSameLogin(creator, request.setter ?? "") && time === request.modification_date;
  });
  return question ? quotedComment(question) : "";
}
