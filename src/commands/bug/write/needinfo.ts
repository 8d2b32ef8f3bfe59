import { readBug } from "../../../api/bugs/bug-numbers.ts";
import { fetchComments } from "../../../api/bugs/bug-parts.ts";
import type { Parameter } from "../../../api/operations/operation.ts";
import { isSameLogin } from "../../../api/people.ts";
import { resolvePeople } from "../../../api/search/check-names.ts";
import {
  answerParts,
  type FlagAnswer,
  type FlagRequest,
  flagRequestParts,
  flagsRequestedFrom,
  type UpdateComment,
} from "../../../api/write/flag-requests.ts";
import { type AvailableFlagType, checkFlagStatus, readFlagTypes } from "../../../api/write/flags.ts";
import { readParameterValue } from "../../../api/write/parameter-values.ts";
import type { UpdatePart } from "../../../api/write/update-part.ts";
import { type BtError, usageError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import { loginOrFail, type Session, withCatalog } from "../../../session/session.ts";
import { quotedComment } from "../../../view/comments.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { applyChange } from "../../shared/changes/apply-change.ts";
import { distinctPlaces, readCommentBody, readValueContext } from "../../shared/changes/write-body.ts";
import { readBugsToChange, readOneTarget, readTargets } from "../../shared/targets.ts";
import { withEditorIfNone } from "../../shared/text/input-text.ts";
import type { Context } from "../../verb.ts";
import type { AnswerInput, NeedinfoInput } from "./flags.ts";
import { checkCommentAdded, isOneBug } from "./status-verbs.ts";

/** `bt bug needinfo`: sets a request to each given user; bugs on which they are asked already stay unchanged. */
export async function setNeedinfo(input: NeedinfoInput, context: Context): Promise<void> {
  const from = await resolveLoginFlag("from", input.from, context);
  if (from.length === 0) {
    const login = input.args.find((word) => word.includes("@")) ?? "LOGIN";
    throw usageError("missing required flag: --from", `use --from ${login} for the user to ask`);
  }
  const { comment, targets, named } = await readBugsAndComment(input, context);
  const name = needinfoFlagName(context);
  const types = await readTypesByPlace(named.bugs, name, context);
  const flagRequestFor = (bug: Bug) => checkedFlagRequest(bug, { name, from, type: types.get(placeKey(bug)) });
  const parts = flagRequestParts(named.bugs, flagRequestFor, comment);
  await noteSkippedBugs(parts, () => `is already requested from ${from.join(", ")}`, context);
  if (isOneBug(targets, input)) checkCommentAdded(parts);
  await applyChange({ ...named, parts }, input, context);
}

/** `bt bug answer`: clears the requests that wait for the user, or passes them on. */
export async function answerRequests(input: AnswerInput, context: Context): Promise<void> {
  const [to, ...others] = await resolveLoginFlag("to", input.to === undefined ? [] : [input.to], context);
  if (others.length > 0) throw usageError("--to takes one login");
  const login = await loginOrFail(context.session);
  if (isSameLogin(to, login)) throw usageError("--to is your own login", "omit --to to clear the request");
  const source = to === undefined ? withEditorIfNone(input, input.comment, context) : input;
  const question = source.editor ? await readQuestion(source.args, login, context) : "";
  const { comment, targets, named } = await readBugsAndComment(source, context, question);
  if (to === undefined && comment.body["comment"] === undefined) throw noAnswerError(login, context);
  const answer: FlagAnswer = { name: needinfoFlagName(context), asked: login, ...(to === undefined ? {} : { to }) };
  const parts = answerParts(named.bugs, answer, comment);
  const unchanged = unchangedBugs(parts);
  // refuses a flag that a product or component does not have
  await readTypesByPlace(
    unchanged.filter(({ flags }) => !flags?.some(({ name }) => name === answer.name)),
    answer.name,
    context,
  );
  await noteSkippedBugs(parts, (bug) => `is not requested from ${login}${otherRequests(bug, login)}`, context);
  if (isOneBug(targets, input)) checkCommentAdded(parts);
  await applyChange({ ...named, parts }, input, context);
}

function noAnswerError(login: string, context: Context): BtError {
  const other = `without one: bt bug update BUG --flag '${needinfoFlagName(context)}X(${login})'`;
  return usageError("missing comment", `use -m, --body-file or --editor; ${other}`);
}

/** Name of the flag that requests information. */
export function needinfoFlagName({ session }: Context): string {
  return session.settings.needinfo_flag ?? DEFAULT_FLAG;
}

const DEFAULT_FLAG = "needinfo";

/** The question to a user, quoted: the comment that came with the newest request on a bug; empty for several bugs. */
async function readQuestion(words: string[], login: string, context: Context): Promise<string> {
  if (words.length !== 1) return "";
  const { send } = context.session;
  const bug = await readBug(await readOneTarget(words[0] ?? "", context), ["flags"], send);
  const request = flagsRequestedFrom(login, needinfoFlagName(context), bug.flags).at(-1);
  if (request === undefined) return "";
  const comments = await fetchComments(bug.id, send);
  const question = comments.find(({ creator, time }) => {
    return isSameLogin(creator, request.setter ?? "") && time === request.modification_date;
  });
  return question ? quotedComment(question) : "";
}

async function readBugsAndComment(input: NeedinfoInput | AnswerInput, context: Context, start = "") {
  const body = await readCommentBody(input, context, start);
  const targets = await readTargets(input.args, context);
  const comment: UpdateComment = { body, addToUnchanged: input.commentAnyway };
  return { comment, targets, named: await readBugsToChange(targets, context) };
}

/** Logins that a flag gives, each once. */
async function resolveLoginFlag(flag: string, texts: readonly string[], context: Context): Promise<string[]> {
  if (texts.length === 0) return [];
  const parameter: Parameter = { name: flag, kind: "people", about: "" };
  return withCatalog(context.session, async (catalog) => {
    const read = readParameterValue(parameter, texts, await readValueContext({ [flag]: texts }, context, catalog));
    const flags = (read as string[]).map((requestee) => ({ requestee }));
    const resolved = await resolvePeople({ flags }, catalog, context.session.send);
    return [...new Set((resolved["flags"] as typeof flags).map(({ requestee }) => requestee))];
  });
}

/** Bugs of the parts that change no flags. */
function unchangedBugs(parts: readonly UpdatePart[]): Bug[] {
  return parts.filter(({ only }) => only === undefined).flatMap(({ bugs }) => bugs);
}

/** Says of a few unchanged bugs why they are. */
async function noteSkippedBugs(
  parts: readonly UpdatePart[],
  why: (bug: Bug) => string,
  context: Context,
): Promise<void> {
  const name = needinfoFlagName(context);
  const bugs = unchangedBugs(parts);
  for (const bug of bugs.slice(0, MAX_NOTES)) await note(context.io, `bug ${bug.id}: ${name} ${why(bug)}`);
  if (bugs.length > MAX_NOTES) await note(context.io, `and ${bugs.length - MAX_NOTES} more bugs`);
}

const MAX_NOTES = 20;

/** Requests of other flags to the user, which an answer does not clear. */
function otherRequests({ flags }: Bug, login: string): string {
  const names = new Set((flags ?? []).map(({ name }) => name));
  const waiting = [...names].filter((name) => flagsRequestedFrom(login, name, flags).length > 0);
  return waiting.length === 0 ? "" : `, but ${waiting.map((name) => `${name}?`).join(", ")} is`;
}

function placeKey({ product, component }: Bug): string {
  return JSON.stringify([product, component]);
}

/**
 * The active flag type of this name for each product and component; none where the tracker does not list flag types.
 * @throws BtError of kind usage if a product or component has none, or several
 */
export async function readTypesByPlace(
  bugs: readonly Bug[],
  name: string,
  { session }: Context,
): Promise<ReadonlyMap<string, AvailableFlagType>> {
  const found = new Map<string, AvailableFlagType>();
  for (const bug of distinctPlaces(bugs)) {
    const type = await readTypeFor(bug, name, session);
    if (type) found.set(placeKey(bug), type);
  }
  return found;
}

async function readTypeFor(bug: Bug, name: string, { send, address }: Session): Promise<AvailableFlagType | undefined> {
  const { product, component } = bug;
  const types = product && component ? await readFlagTypes({ product, component, target: "bug" }, send) : undefined;
  if (!types) return undefined;
  const [type, ...others] = types.filter((one) => one.name === name);
  if (!type) throw noFlagTypeError(name, bug, address);
  if (others.length > 0) throw severalTypesError(bug, [type, ...others]);
  return type;
}

function severalTypesError({ id, product, component }: Bug, types: AvailableFlagType[]): BtError {
  return usageError(
    `${product}/${component} has ${types.length} flag types named ${types[0]?.name}`,
    `choose one: bt bug update ${id} --flag 'type:${types[0]?.id}?(LOGIN)'`,
  );
}

function noFlagTypeError(name: string, { product, component }: Bug, address: string): BtError {
  const place = `${product}/${component}`;
  const step = /^https?:/.test(address)
    ? `an administrator can add it at ${address}/editflagtypes.cgi`
    : `an administrator can add it to the flag_types of bt admin apply`;
  return usageError(`${place} has no flag ${name}`, `${step}; for another flag: bt config set needinfo_flag NAME`);
}

type RequestedFlag = { name: string; from: string[]; type: AvailableFlagType | undefined };

/** @throws BtError of kind usage if the flag cannot be requested from these users on the bug */
function checkedFlagRequest(bug: Bug, { name, from, type }: RequestedFlag): FlagRequest {
  const isSingle = type?.isMultiplicable === false;
  if (type) checkFlagStatus({ status: "?", requestee: from[0] ?? "" }, [type]);
  const waiting = (bug.flags ?? []).filter((flag) => isSingle && flag.name === name && flag.status === "?");
  const other = waiting.find(({ requestee }) => !from.some((login) => isSameLogin(requestee, login)));
  if (isSingle && from.length > 1) throw usageError(`a bug can have only one ${name}`, "use --from once");
  if (other) {
    throw usageError(
      `bug ${bug.id} can have only one ${name}, which is requested from ${other.requestee ?? "anybody"}`,
      `bt bug update ${bug.id} --flag '${name}?(${from[0]})' changes whom it is requested from`,
    );
  }
  return { name, from, isSingle };
}
