import { checkPeople } from "../../../api/names.ts";
import type { Parameter } from "../../../api/operations/operation.ts";
import { flagsWaitingFor } from "../../../api/write/flags.ts";
import { readParameterValue } from "../../../api/write/parameter-values.ts";
import { usageError } from "../../../errors.ts";
import { withCatalog } from "../../../session/session.ts";
import { changeBugs, editsOf, readBugsAndComment } from "../../shared/change/change.ts";
import type { Edit } from "../../shared/change/plan.ts";
import { checkedBody, readValueContext } from "../../shared/write-body.ts";
import type { Context } from "../../verb.ts";
import type { NeedinfoInput } from "./flags.ts";

/** `bt bug needinfo`: sets a request to each user; bugs with these requests stay unchanged. */
export async function setNeedinfo(input: NeedinfoInput, context: Context): Promise<void> {
  const logins = await readLogins(input, context);
  const { named, comment } = await readBugsAndComment(input, context);
  const name = needinfoFlagName(context);
  const requests = logins.map((requestee) => ({ name, status: "?", requestee, new: true }));
  await withCatalog(context.session, (catalog) => checkedBody({ flags: requests }, named.bugs, catalog, context));
  const edits = editsOf(named, (bug): Edit => {
    const isMissing = (login: string) => flagsWaitingFor(login, name, bug.flags).every((flag) => !flag.requestee);
    const flags = requests.filter(({ requestee }) => isMissing(requestee));
    if (flags.length > 0) return { bug, body: { flags, ...comment } };
    return { bug, why: `${name} is already requested from ${logins.join(", ")}`, dropped: Object.keys(comment) };
  });
  await changeBugs(edits, input, context);
}

/** The flag that requests information. */
export function needinfoFlagName({ session }: Context): string {
  return session.settings.needinfo_flag ?? "needinfo";
}

/** The users of `--from`, each once. @throws BtError of kind usage for none, or an unknown one */
async function readLogins({ from }: NeedinfoInput, context: Context): Promise<string[]> {
  if (from.length === 0) throw usageError("missing required flag: --from", "use --from LOGIN for the user to ask");
  const parameter: Parameter = { name: "from", kind: "people", about: "" };
  return withCatalog(context.session, async (catalog) => {
    const typed = readParameterValue(parameter, from, await readValueContext({ from }, context, catalog)) as string[];
    await checkPeople({ flags: typed.map((requestee) => ({ requestee })) }, catalog, context.session.send);
    return [...new Set(typed)];
  });
}
