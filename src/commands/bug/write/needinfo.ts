import type { Catalog } from "../../../api/catalog/catalog.ts";
import type { Parameter } from "../../../api/operations/operation.ts";
import { flagsRequestedFrom } from "../../../api/write/flags.ts";
import { readParameterValue } from "../../../api/write/parameter-values.ts";
import { usageError } from "../../../errors.ts";
import { withCatalog } from "../../../session/session.ts";
import { objectsIn } from "../../../wire/json.ts";
import { changeBugs, editsOf, readBugsAndComment } from "../../shared/change/change.ts";
import type { Edit } from "../../shared/change/edit.ts";
import { checkedBody, readValueContext } from "../../shared/write-body.ts";
import type { Context } from "../../verb.ts";
import type { NeedinfoInput } from "./flags.ts";

/** `bt bug needinfo`: sets a request to each given user; bugs with these requests stay unchanged. */
export async function setNeedinfo(input: NeedinfoInput, context: Context): Promise<void> {
  const { from } = input;
  if (from.length === 0) throw usageError("missing required flag: --from", "use --from LOGIN for the user to ask");
  const { named, comment } = await readBugsAndComment(input, context);
  const name = needinfoFlagName(context);
  const requests = await withCatalog(context.session, async (catalog) => {
    const logins = await readLogins(from, catalog, context);
    const flags = logins.map((requestee) => ({ name, status: "?", requestee, new: true }));
    return objectsIn((await checkedBody({ flags }, named.bugs, catalog, context))["flags"]);
  });
  const edits = editsOf(named, (bug): Edit => {
    const isMissing = (login: string) => flagsRequestedFrom(login, name, bug.flags).length === 0;
    const flags = requests.filter(({ requestee }) => isMissing(String(requestee)));
    if (flags.length > 0) return { bug, body: { flags, ...comment } };
    const logins = requests.map(({ requestee }) => requestee);
    return { bug, why: `${name} is already requested from ${logins.join(", ")}`, dropped: Object.keys(comment) };
  });
  await changeBugs(edits, input, context);
}

/** The flag that requests information. */
export function needinfoFlagName({ session }: Context): string {
  return session.settings.needinfo_flag ?? "needinfo";
}

/** The users of `--from`, each once. */
async function readLogins(from: readonly string[], catalog: Catalog, context: Context): Promise<string[]> {
  const parameter: Parameter = { name: "from", kind: "people", about: "" };
  const reading = await readValueContext({ from: [...from] }, context, catalog);
  return [...new Set(readParameterValue(parameter, from, reading) as string[])];
}
