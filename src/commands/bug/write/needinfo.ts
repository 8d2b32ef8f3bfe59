import { checkPeople } from "../../../api/names.ts";
import { flagsWaitingFor } from "../../../api/write/flags.ts";
import { readParameterValue } from "../../../api/write/values.ts";
import { usageError } from "../../../errors.ts";
import { loginOrFail, withCatalog } from "../../../session/session.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { changeBugs } from "../../shared/change/change.ts";
import { changeNamedBugs, editOf, editsOf, readBugsAndComment } from "../../shared/change/edits.ts";
import { hasProse } from "../../shared/flags.ts";
import { withEditorIfNone } from "../../shared/text.ts";
import { checkedBody, readValueContext } from "../../shared/write-body.ts";
import type { Context } from "../../verb.ts";
import type { CommentedUpdateInput, NeedinfoInput } from "../flags.ts";

/** `bt bug needinfo`: sets a request to each user; bugs with these requests stay unchanged. */
export async function setNeedinfo(input: NeedinfoInput, context: Context): Promise<void> {
  const logins = await readRequestees(input, context);
  const name = needinfoFlagName(context);
  const { named, comment } = await readBugsAndComment(input, context);
  const requests = logins.map((requestee) => ({ name, status: "?", requestee, new: true }));
  await withCatalog(context.session, (catalog) => checkedBody({ flags: requests }, named.bugs, catalog, context));
  const edits = editsOf(named, (bug) => {
    const isRequested = (login: string) => flagsWaitingFor(login, name, bug.flags).some((flag) => flag.requestee);
    const flags = requests.filter(({ requestee }) => !isRequested(requestee));
    const values = flags.length > 0 ? { flags } : `${name} is already requested from ${logins.join(", ")}`;
    return editOf(bug, values, comment);
  });
  await changeBugs(edits, input, context);
}

/** The flag that requests information. */
export function needinfoFlagName({ session }: Context): string {
  return session.settings.needinfo_flag ?? "needinfo";
}

/** The users of `--from`, each once. @throws BtError of kind usage for none, or an unknown one */
async function readRequestees({ from }: NeedinfoInput, context: Context): Promise<string[]> {
  if (from.length === 0) throw usageError("missing required flag: --from", "use --from LOGIN for the user to ask");
  const parameter = { name: "from", kind: "people", about: "" } as const;
  return withCatalog(context.session, async (catalog) => {
    const typed = readParameterValue(parameter, from, await readValueContext({ from }, context, catalog)) as string[];
    await checkPeople({ flags: typed.map((requestee) => ({ requestee })) }, catalog, context.session.send);
    return [...new Set(typed)];
  });
}

/** `bt bug answer`: clears the requests that wait for the user, with a comment. */
export async function answerRequests(input: CommentedUpdateInput, context: Context): Promise<void> {
  const login = await loginOrFail(context.session);
  const name = needinfoFlagName(context);
  const clear = (bug: Bug) => {
    const flags = flagsWaitingFor(login, name, bug.flags).map(({ id }) => ({ id, status: "X" }));
    return flags.length > 0 ? { flags } : `${name} is not requested from ${login}`;
  };
  const commented = withEditorIfNone(input, input.comment, context);
  if (!hasProse(commented, input.comment)) throw usageError("missing comment", "use -m, --body-file or --editor");
  await changeNamedBugs(commented, clear, context);
}
