import { checkPeople } from "../../../api/names.ts";
import type { Parameter } from "../../../api/operations/operation.ts";
import { isSameLogin } from "../../../api/people.ts";
import { type AvailableFlagType, checkFlagStatus, flagsRequestedFrom } from "../../../api/write/flags.ts";
import { readParameterValue } from "../../../api/write/parameter-values.ts";
import { usageError } from "../../../errors.ts";
import { withCatalog } from "../../../session/session.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { changeBugs, editsOf, readBugsAndComment } from "../../shared/change/change.ts";
import type { Edit } from "../../shared/change/edit.ts";
import { readValueContext } from "../../shared/write-body.ts";
import type { Context } from "../../verb.ts";
import type { NeedinfoInput } from "./flags.ts";
import { needinfoFlagName, readFlagTypeFinder } from "./needinfo-flag.ts";

/** `bt bug needinfo`: sets a request to each given user; bugs on which they are asked already stay unchanged. */
export async function setNeedinfo(input: NeedinfoInput, context: Context): Promise<void> {
  const from = await readLogins(input, context);
  const { named, comment } = await readBugsAndComment(input, context);
  const name = needinfoFlagName(context);
  const typeOf = await readFlagTypeFinder(named.bugs, name, context);
  const edits = editsOf(named, (bug): Edit => {
    const type = typeOf(bug);
    const missing = from.filter((login) => flagsRequestedFrom(login, name, bug.flags).length === 0);
    if (missing.length === 0)
      return { bug, why: `${name} is already requested from ${from.join(", ")}`, dropped: Object.keys(comment) };
    if (type) checkRequest(bug, from, type);
    const isSingle = type?.isMultiplicable === false;
    const flags = missing.map((requestee) => ({ name, status: "?", requestee, ...(isSingle ? {} : { new: true }) }));
    return { bug, body: { flags, ...comment } };
  });
  await changeBugs(edits, input, context);
}

/** The users of `--from`, each once. */
async function readLogins({ from }: NeedinfoInput, context: Context): Promise<string[]> {
  if (from.length === 0) throw usageError("missing required flag: --from", "use --from LOGIN for the user to ask");
  const parameter: Parameter = { name: "from", kind: "people", about: "" };
  return withCatalog(context.session, async (catalog) => {
    const reading = await readValueContext({ from }, context, catalog);
    const logins = readParameterValue(parameter, from, reading) as string[];
    await checkPeople({ flags: logins.map((requestee) => ({ requestee })) }, catalog, context.session.send);
    return [...new Set(logins)];
  });
}

/** @throws BtError of kind usage if the flag cannot be requested from these users on the bug */
function checkRequest({ id, flags }: Bug, from: readonly string[], type: AvailableFlagType): void {
  const { name } = type;
  checkFlagStatus({ status: "?", requestee: from[0] ?? "" }, [type]);
  if (type.isMultiplicable) return;
  if (from.length > 1) throw usageError(`a bug can have only one ${name}`, "use --from once");
  const waiting = (flags ?? []).filter((flag) => flag.name === name && flag.status === "?");
  const other = waiting.find(({ requestee }) => !isSameLogin(requestee, from[0]));
  if (!other) return;
  throw usageError(
    `bug ${id} can have only one ${name}, which is requested from ${other.requestee ?? "anybody"}`,
    `bt bug update ${id} --flag '${name}?(${from[0]})' changes whom it is requested from`,
  );
}
