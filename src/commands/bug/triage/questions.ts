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
import { type KeyName, TRIAGE_KEYS, type UpdateInput } from "../flags.ts";
import { needinfoFlagName } from "../write/needinfo.ts";

/** The bug of a question, and the flags of `bt bug update` of the keys before. */
type Asked = {
  readonly bug: Bug;
  readonly comments: readonly Comment[];
  readonly pending: UpdateFlags;
  readonly catalog: Catalog;
  readonly context: Context;
};

/** Values of flags of `bt bug update`; an undefined one drops what an earlier key gave. */
export type UpdateFlags = UpdateInput["parameters"];

/** Prompts for the flags that a key adds. @throws BtError of what was typed, or PromptCancelled */
type AskFlags = (asked: Asked) => Promise<UpdateFlags>;

/** The prompts of the keys that add to a change. */
export const QUESTIONS: Record<Exclude<KeyName, "send" | "skip" | "undo" | "quit" | "web" | "view all">, AskFlags> = {
  assignee: askAssignee,
  priority: askValue("priority"),
  severity: askValue("severity"),
  component: askValue("component"),
  product: askProduct,
  keywords: askKeyword,
  status: askStatus,
  confirm: askConfirmed,
  duplicate: askOriginal,
  close: closeAs,
  needinfo: askInfo,
  comment: askComment,
  "saved reply": askReply,
};

async function askAssignee({ bug, comments, context }: Asked): Promise<UpdateFlags> {
  const others = people(bug, comments).filter(({ value }) => value !== bug.assigned_to);
  return { "assigned-to": await promptForLogin("assign to", others, context) };
}

function askValue(name: "priority" | "severity" | "component"): AskFlags {
  return async (asked) => ({ [name]: await askField(name, valuesOf(name, asked), asked) });
}

/** Active values of a field in the product that the bug has or gets. */
function valuesOf(name: string, { bug, pending, catalog }: Asked): string[] {
  return activeNames(requireField(catalog, name), pending.product ?? bug.product ?? undefined);
}

type ChosenField = "priority" | "severity" | "component" | "product" | "status" | "resolution";

/** Prompts for a value of a field, the present one first: Enter alone changes nothing. */
function askField(name: ChosenField, names: readonly string[], { bug, pending, context }: Asked): Promise<string> {
  const current = pending[name] ?? bug[name] ?? "";
  const first = current === "" ? [] : [{ value: current, name: plain(`${current} (current)`) }];
  return askChoice(name, [...first, ...names.filter((other) => other !== current).map(choiceOf)], context);
}

function askChoice(message: string, choices: readonly PromptChoice[], { io }: Context): Promise<string> {
  const find = (term: string) => matchingChoices(choices, term);
  return io.prompt({ kind: "search", message, find, hasBack: true });
}

/** A product and a component; also a version and milestone if it lacks those of the bug. */
async function askProduct(asked: Asked): Promise<UpdateFlags> {
  const { bug, catalog, context } = asked;
  const product = await askField("product", valuesOf("product", asked), asked);
  const flags: Record<string, string | undefined> = { product };
  for (const name of PER_PRODUCT_FIELDS) {
    const field = requireField(catalog, name);
    const isAsked = product !== bug.product && (name === "component" || lacksValue(product, field, bug[name]));
    const choices = activeNames(field, product).map(choiceOf);
    flags[commandFlagName(name)] = isAsked ? await askChoice(valueNoun(field), choices, context) : undefined;
  }
  return flags;
}

/** A keyword to add, or with a minus sign one of the bug's to remove. */
async function askKeyword(asked: Asked): Promise<UpdateFlags> {
  const own = asked.bug.keywords ?? [];
  const { "add-keywords": add = [], "remove-keywords": remove = [] } = asked.pending;
  const absent = valuesOf("keywords", asked).filter((name) => !own.includes(name) && !add.includes(name));
  const present = own.filter((name) => !remove.includes(name));
  const names = [...absent, ...present.map((name) => `-${name}`)];
  const chosen = await askChoice("keyword to add, -name to remove", names.map(choiceOf), asked.context);
  const removed = present.find((name) => chosen === `-${name}`);
  return removed === undefined ? { "add-keywords": [...add, chosen] } : { "remove-keywords": [...remove, removed] };
}

async function askInfo({ bug, comments, pending, context }: Asked): Promise<UpdateFlags> {
  const flag = needinfoFlagName(context);
  const requestOf = (person: string) => `+${flag}?(${person})`; // a further one, whatever was set meanwhile
  const isAsked = (person: string) =>
    pending.flags?.includes(requestOf(person)) ||
    flagsWaitingFor(person, flag, bug.flags).some(({ requestee }) => requestee);
  const others = people(bug, comments).filter(({ value }) => !isAsked(value));
  const chosen = await promptForLogin("information from", others, context);
  const login = chosen === "@me" ? await loginOrFail(context.session) : chosen;
  if (isAsked(login)) throw usageError(`${flag} is already requested from ${login}`);
  return { flags: [requestOf(login)], ...(await askOptionalComment("question", context)) };
}

/** The comment that a change may have; nothing without one. */
async function askOptionalComment(name: string, context: Context): Promise<UpdateFlags> {
  const text = await askLine(`${name} (Enter for none)`, context);
  return text.trim() === "" ? {} : { comment: checkedText("comment", text) };
}

function askLine(message: string, { io }: Context): Promise<string> {
  return io.prompt({ kind: "line", message, isLong: true, hasBack: true });
}

/** Flags that change the status, each in place of the others. */
const NO_STATUS = { status: undefined, resolution: undefined, "dupe-of": undefined };

async function askOriginal({ bug, context }: Asked): Promise<UpdateFlags> {
  return { ...NO_STATUS, "dupe-of": await promptForOriginal(bug, context) };
}

async function askConfirmed({ bug, catalog }: Asked): Promise<UpdateFlags> {
  if (bug.status !== UNCONFIRMED) throw usageError(`${TRIAGE_KEYS.confirm} confirms a bug that is ${UNCONFIRMED}`);
  return { ...NO_STATUS, status: confirmedStatuses(catalog).waiting };
}

/** A status that the tracker allows next; a closed one of an open bug needs a resolution. */
async function askStatus(asked: Asked): Promise<UpdateFlags> {
  const { bug, catalog } = asked;
  const from = bug.status ?? "";
  const all = [...statusNames(catalog, "open"), ...statusNames(catalog, "closed")];
  const allowed = statusMoves(catalog, from)?.map(({ name }) => name) ?? all;
  const names = all.filter((name) => name !== from && allowed.includes(name));
  const status = await askField("status", names, asked);
  const isClosing = statusNames(catalog, "closed").includes(status) && isOpen(bug, catalog);
  return isClosing ? closeAs(asked, status) : { ...NO_STATUS, status };
}

/** A resolution, of an open bug with a closed status, and a comment if there is one; or the original of a duplicate. */
async function closeAs(asked: Asked, closed = defaultClosedStatus(asked.catalog)): Promise<UpdateFlags> {
  const status = isOpen(asked.bug, asked.catalog) ? closed : undefined;
  const resolution = await askField("resolution", valuesOf("resolution", asked), asked);
  if (resolution === DUPLICATE) return askOriginal(asked);
  return { ...NO_STATUS, status, resolution, ...(await askOptionalComment("comment", asked.context)) };
}

async function askComment({ bug, context }: Asked): Promise<UpdateFlags> {
  const typed = await askLine("comment (Enter opens the editor)", context);
  const text = typed.trim() === "" ? await editText("comment", "", `bug ${bug.id}: ${bug.summary}`, context) : typed;
  return { comment: checkedText("comment", text) };
}

async function askReply({ context }: Asked): Promise<UpdateFlags> {
  const replies = savedReplies(context.session.settings);
  if (replies.size === 0) throw usageError("no saved replies", "bt config set reply.thanks 'Thank you!'");
  const choices = [...replies].map(([value, text]) => ({ ...choiceOf(value), about: plain(text) }));
  const reply = replies.get(await askChoice("saved reply", choices, context)) ?? "";
  return { comment: checkedText("comment", reply) };
}

/** The users of a bug, each once, the latest commenters first. */
function people({ creator, assigned_to, qa_contact }: Bug, comments: readonly Comment[]): PromptChoice[] {
  const logins = [creator, assigned_to, qa_contact, ...comments.map((comment) => comment.creator).reverse()];
  return [...new Set(logins)].flatMap((login) => (login ? choiceOf(login) : []));
}
