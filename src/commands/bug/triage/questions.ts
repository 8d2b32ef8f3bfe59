import {
  activeNames,
  type Catalog,
  requireField,
  statusMoves,
  statusNames,
  valueNoun,
} from "../../../api/catalog/catalog.ts";
import { commandFlagName } from "../../../api/operations/operation.ts";
import {
  confirmedStatuses,
  DUPLICATE,
  defaultClosedStatus,
  isOpen,
  lacksValue,
  UNCONFIRMED,
} from "../../../api/write/checks.ts";
import { flagsWaitingFor } from "../../../api/write/flags.ts";
import { checkedText } from "../../../api/write/values.ts";
import { savedReplies } from "../../../config/settings.ts";
import { usageError } from "../../../errors.ts";
import { matchingChoices, type PromptChoice } from "../../../prompt/question.ts";
import { loginOrFail } from "../../../session/session.ts";
import { plain } from "../../../view/text.ts";
import { type Bug, PER_PRODUCT_FIELDS } from "../../../wire/bug-fields.ts";
import type { Comment } from "../../../wire/resources.ts";
import { promptForOriginal } from "../../shared/bug-picker.ts";
import { choiceOf, promptForLogin } from "../../shared/prompts.ts";
import { editText } from "../../shared/text.ts";
import type { Context } from "../../verb.ts";
import type { UpdateInput } from "../flags.ts";
import { needinfoFlagName } from "../write/needinfo.ts";
import { type KeyName, TRIAGE_KEYS } from "./keys.ts";

/** The bug on the screen, and the flags of `bt bug update` that earlier keys gave (`pending`). */
type TriageState = {
  readonly bug: Bug;
  readonly comments: readonly Comment[];
  readonly pending: UpdateFlags;
  readonly catalog: Catalog;
  readonly context: Context;
};

/** Values of flags of `bt bug update`; undefined drops the value of an earlier key. */
export type UpdateFlags = UpdateInput["parameters"];

/** Prompts for the flags that a key adds. @throws BtError for an invalid value, or PromptCancelled */
type Question = (state: TriageState) => Promise<UpdateFlags>;

/** The questions of the keys that add to a change. */
export const QUESTIONS: Record<Exclude<KeyName, "send" | "skip" | "undo" | "quit" | "web" | "view all">, Question> = {
  assignee: askAssignee,
  priority: (state) => askValue("priority", state),
  severity: (state) => askValue("severity", state),
  component: (state) => askValue("component", state),
  product: askProduct,
  keywords: askKeyword,
  status: askStatus,
  confirm: confirmationFlags,
  duplicate: askOriginal,
  close: (state) => askResolution(state),
  needinfo: askNeedinfo,
  comment: askComment,
  "saved reply": askReply,
};

async function askAssignee({ bug, comments, context }: TriageState): Promise<UpdateFlags> {
  const others = usersOf(bug, comments).filter(({ value }) => value !== bug.assigned_to);
  return { "assigned-to": await promptForLogin("assign to", others, context) };
}

async function askValue(name: "priority" | "severity" | "component", state: TriageState): Promise<UpdateFlags> {
  return { [name]: await askField(name, activeValues(name, state), state) };
}

/** Active values of a field in the product that the bug has or gets. */
function activeValues(name: string, { bug, pending, catalog }: TriageState): string[] {
  return activeNames(requireField(catalog, name), pending.product ?? bug.product ?? undefined);
}

type ChosenField = "priority" | "severity" | "component" | "product" | "status" | "resolution";

/** Prompts for a value of a field, the current value first: Enter alone changes nothing. */
function askField(
  name: ChosenField,
  names: readonly string[],
  { bug, pending, context }: TriageState,
): Promise<string> {
  const current = pending[name] ?? bug[name] ?? "";
  const first = current === "" ? [] : [{ value: current, name: plain(`${current} (current)`) }];
  return askChoice(name, [...first, ...names.filter((other) => other !== current).map(choiceOf)], context);
}

function askChoice(message: string, choices: readonly PromptChoice[], { io }: Context): Promise<string> {
  const find = (term: string) => matchingChoices(choices, term);
  return io.prompt({ kind: "search", message, find, hasBack: true });
}

/** A product and a component; also a version and a milestone if the product lacks the values of the bug. */
async function askProduct(state: TriageState): Promise<UpdateFlags> {
  const { bug, catalog, context } = state;
  const product = await askField("product", activeValues("product", state), state);
  const flags: Record<string, string | undefined> = { product };
  for (const name of PER_PRODUCT_FIELDS) {
    const field = requireField(catalog, name);
    const isNeeded = product !== bug.product && (name === "component" || lacksValue(product, field, bug[name]));
    const choices = activeNames(field, product).map(choiceOf);
    flags[commandFlagName(name)] = isNeeded ? await askChoice(valueNoun(field), choices, context) : undefined;
  }
  return flags;
}

/** A keyword to add, or with a minus sign a keyword of the bug to remove. */
async function askKeyword(state: TriageState): Promise<UpdateFlags> {
  const current = state.bug.keywords ?? [];
  const { "add-keywords": add = [], "remove-keywords": remove = [] } = state.pending;
  const absent = activeValues("keywords", state).filter((name) => !current.includes(name) && !add.includes(name));
  const present = current.filter((name) => !remove.includes(name));
  const names = [...absent, ...present.map((name) => `-${name}`)];
  const chosen = await askChoice("keyword to add, -name to remove", names.map(choiceOf), state.context);
  const removed = present.find((name) => chosen === `-${name}`);
  return removed === undefined ? { "add-keywords": [...add, chosen] } : { "remove-keywords": [...remove, removed] };
}

async function askNeedinfo({ bug, comments, pending, context }: TriageState): Promise<UpdateFlags> {
  const flag = needinfoFlagName(context);
  const requestOf = (person: string) => `+${flag}?(${person})`; // "+": in addition to other requests
  const isRequested = (person: string) =>
    pending.flags?.includes(requestOf(person)) ||
    flagsWaitingFor(person, flag, bug.flags).some(({ requestee }) => requestee);
  const others = usersOf(bug, comments).filter(({ value }) => !isRequested(value));
  const chosen = await promptForLogin("information from", others, context);
  const login = chosen === "@me" ? await loginOrFail(context.session) : chosen;
  if (isRequested(login)) throw usageError(`${flag} is already requested from ${login}`);
  return { flags: [requestOf(login)], ...(await askOptionalComment("question", context)) };
}

/** Prompts for a comment; no flag if the answer is empty. */
async function askOptionalComment(name: string, context: Context): Promise<UpdateFlags> {
  const text = await askLine(`${name} (Enter for none)`, context);
  return text.trim() === "" ? {} : { comment: checkedText("comment", text) };
}

function askLine(message: string, { io }: Context): Promise<string> {
  return io.prompt({ kind: "line", message, isLong: true, hasBack: true });
}

/** Drops the status of earlier keys. */
const WITHOUT_STATUS = { status: undefined, resolution: undefined, "dupe-of": undefined };

async function askOriginal({ bug, context }: TriageState): Promise<UpdateFlags> {
  return { ...WITHOUT_STATUS, "dupe-of": await promptForOriginal(bug, context) };
}

/** The status of a confirmed bug, without a prompt. */
async function confirmationFlags({ bug, catalog }: TriageState): Promise<UpdateFlags> {
  if (bug.status !== UNCONFIRMED) throw usageError(`${TRIAGE_KEYS.confirm} confirms a bug that is ${UNCONFIRMED}`);
  return { ...WITHOUT_STATUS, status: confirmedStatuses(catalog).waiting };
}

/** A status that the tracker allows next; a closed one of an open bug needs a resolution. */
async function askStatus(state: TriageState): Promise<UpdateFlags> {
  const { bug, catalog } = state;
  const from = bug.status ?? "";
  const all = [...statusNames(catalog, "open"), ...statusNames(catalog, "closed")];
  const allowed = statusMoves(catalog, from)?.map(({ name }) => name) ?? all;
  const names = all.filter((name) => name !== from && allowed.includes(name));
  const status = await askField("status", names, state);
  const isClosing = statusNames(catalog, "closed").includes(status) && isOpen(bug, catalog);
  return isClosing ? askResolution(state, status) : { ...WITHOUT_STATUS, status };
}

/** A resolution and perhaps a comment, with the status for an open bug; or the original of a duplicate. */
async function askResolution(state: TriageState, closedStatus?: string): Promise<UpdateFlags> {
  const { bug, catalog } = state;
  const status = isOpen(bug, catalog) ? (closedStatus ?? defaultClosedStatus(catalog)) : undefined;
  const resolution = await askField("resolution", activeValues("resolution", state), state);
  if (resolution === DUPLICATE) return askOriginal(state);
  return { ...WITHOUT_STATUS, status, resolution, ...(await askOptionalComment("comment", state.context)) };
}

async function askComment({ bug, context }: TriageState): Promise<UpdateFlags> {
  const typed = await askLine("comment (Enter opens the editor)", context);
  const text = typed.trim() === "" ? await editText("comment", "", `bug ${bug.id}: ${bug.summary}`, context) : typed;
  return { comment: checkedText("comment", text) };
}

async function askReply({ context }: TriageState): Promise<UpdateFlags> {
  const replies = savedReplies(context.session.settings);
  if (replies.size === 0) throw usageError("no saved replies", "bt config set reply.thanks 'Thank you!'");
  const choices = [...replies].map(([value, text]) => ({ ...choiceOf(value), about: plain(text) }));
  const reply = replies.get(await askChoice("saved reply", choices, context)) ?? "";
  return { comment: checkedText("comment", reply) };
}

/** The reporter, assignee, QA contact and commenters of a bug, each once, the latest commenters first. */
function usersOf({ creator, assigned_to, qa_contact }: Bug, comments: readonly Comment[]): PromptChoice[] {
  const logins = [creator, assigned_to, qa_contact, ...comments.map((comment) => comment.creator).reverse()];
  return [...new Set(logins)].flatMap((login) => (login ? choiceOf(login) : []));
}
