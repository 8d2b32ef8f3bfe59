import { type Catalog, requireField } from "../../../api/catalog/catalog.ts";
import { activeNames, statusMoves, statusNames, valueNoun } from "../../../api/catalog/legal-values.ts";
import { partition } from "../../../api/lists.ts";
import { nearestNames } from "../../../api/nearest.ts";
import { commandFlagName } from "../../../api/operations/operation.ts";
import { flagsRequestedFrom } from "../../../api/write/flag-requests.ts";
import { checkedText } from "../../../api/write/limits.ts";
import { confirmedStatus, DUPLICATE, defaultClosedStatus, isOpen, UNCONFIRMED } from "../../../api/write/moves.ts";
import { lacksValue } from "../../../api/write/product-move.ts";
import { usageError } from "../../../errors.ts";
import { matchingChoices, PromptCancelled, type PromptChoice } from "../../../prompt/question.ts";
import { savedReplies } from "../../../session/saved-replies.ts";
import { knownLogin } from "../../../session/session.ts";
import { plain } from "../../../view/text.ts";
import { type Bug, PER_PRODUCT_FIELDS, PERSON_FIELDS, type PersonField } from "../../../wire/bug-fields.ts";
import type { Comment } from "../../../wire/resources.ts";
import { promptForOriginal } from "../../shared/bug-picker.ts";
import { choiceOf, userChoice, userSearch } from "../../shared/prompts.ts";
import { editComment } from "../../shared/text/input-text.ts";
import type { Context } from "../../verb.ts";
import { needinfoFlagName, readFlagTypeFinder } from "../write/needinfo-flag.ts";
import { TRIAGE_KEYS } from "./keys.ts";
import type { Part, UpdateFlags } from "./state.ts";

/** The bug of a part, the parts before it, and the flags of `bt bug update` that they are. */
type Asked = {
  readonly bug: Bug;
  readonly comments: readonly Comment[];
  readonly parts: readonly Part[];
  readonly pending: UpdateFlags;
  readonly catalog: Catalog;
  readonly context: Context;
};

/** Prompts for the values of a part; throws an error that the user can correct, or that of a cancelled prompt. */
export type AskPart = (asked: Asked) => Promise<Part>;

/** The questions of the keys that add to a change. */
export const PARTS = {
  assignee: askAssignee,
  priority: askValue("priority"),
  severity: askValue("severity"),
  component: askValue("component"),
  product: askProduct,
  keywords: askKeyword,
  status: askStatus,
  confirm: askConfirmed,
  duplicate: askOriginal,
  close: async (asked) =>
    closeAs(asked, isOpen(asked.bug, asked.catalog) ? { status: defaultClosedStatus(asked.catalog) } : {}),
  needinfo: askInfo,
  comment: askComment,
  reply: askReply,
} as const satisfies Readonly<Record<string, AskPart>>;

async function askAssignee({ bug, comments, context }: Asked): Promise<Part> {
  const others = people(bug, comments).filter(({ value }) => value !== bug.assigned_to);
  const find = userSearch(context, (me, own) => [...me, ...others.filter(({ value }) => value !== own), DEFAULT]);
  const login = await askUser("assign to", find, context);
  return { kind: "assignee", flags: login ? { "assigned-to": login } : { "reset-assigned-to": true } };
}

const DEFAULT: PromptChoice = { value: "", name: "default assignee of the component" };

async function askUser(message: string, find: ReturnType<typeof userSearch>, { io, session }: Context) {
  const chosen = await io.prompt({ kind: "search", message, find, hasBack: true });
  return chosen === "@me" ? knownLogin(await session.login()) : chosen;
}

function askValue(name: "priority" | "severity" | "component"): AskPart {
  return async (asked) => {
    const { bug, pending, context } = asked;
    const product = pending.product ?? bug.product ?? undefined;
    const current = pending[name] ?? bug[name] ?? "";
    return { kind: name, flags: { [name]: await askAmong(name, valuesOf(name, asked, product), current, context) } };
  };
}

function valuesOf(name: string, { catalog }: Asked, product?: string): string[] {
  return activeNames(requireField(catalog, name), product);
}

/** Prompts for one of the values. The present one comes first, so that Enter alone changes nothing. */
function askAmong(message: string, names: readonly string[], current: string, context: Context): Promise<string> {
  const nameOf = (value: string) => (value === DUPLICATE ? `${value} (mark as duplicate)` : value);
  const first = current === "" ? [] : [{ value: current, name: plain(`${current} (current)`) }];
  const others = names.filter((name) => name !== current).map((value) => ({ value, name: plain(nameOf(value)) }));
  return askChoice(message, [...first, ...others], context);
}

function askChoice(message: string, choices: readonly PromptChoice[], { io }: Context): Promise<string> {
  const find = async (term: string) => matchingChoices(choices, term);
  const values = choices.map(({ value }) => value);
  const nearest = async (term: string) => nearestNames(term, values)[0];
  return io.prompt({ kind: "search", message, find, nearest, hasBack: true });
}

/** A product, and the component in it; a version and a milestone, too, if it has none like the bug's. */
async function askProduct(asked: Asked): Promise<Part> {
  const { bug, catalog, context, pending } = asked;
  const current = pending.product ?? bug.product ?? "";
  const product = await askAmong("product", valuesOf("product", asked), current, context);
  const flags: Record<string, string> = { product };
  for (const name of product === bug.product ? [] : PER_PRODUCT_FIELDS) {
    const field = requireField(catalog, name);
    if (name !== "component" && !lacksValue(product, field, bug[name])) continue;
    flags[commandFlagName(name)] = await askAmong(valueNoun(field), valuesOf(name, asked, product), "", context);
  }
  return { kind: "product", flags };
}

/** A keyword to add, or with a minus sign one to remove that the bug has or gets. */
async function askKeyword(asked: Asked): Promise<Part> {
  const { bug, pending, context } = asked;
  const own = bug.keywords ?? [];
  const added = new Set(pending["add-keywords"]);
  const removed = new Set(pending["remove-keywords"]);
  const all = [...new Set([...own, ...valuesOf("keywords", asked)])];
  const [present, absent] = partition(all, (name) => added.has(name) || (own.includes(name) && !removed.has(name)));
  if (all.length === 0) throw usageError("the tracker has no keywords");
  const choices = [
    { value: "", name: "(no change)" },
    ...absent.map(choiceOf),
    ...present.map((value) => ({ value, name: plain(`${value} (current)`) })),
    ...present.map((name) => choiceOf(`-${name}`)),
  ];
  const chosen = await askChoice(`keyword to add${present.length > 0 ? ", -name to remove" : ""}`, choices, context);
  if (chosen === "" || present.includes(chosen)) throw new PromptCancelled();
  const keyword = present.find((name) => chosen === `-${name}`) ?? chosen;
  const edited = own.includes(keyword) ? removed : added;
  if (!edited.delete(keyword)) edited.add(keyword);
  const edits = Object.entries({ "add-keywords": [...added], "remove-keywords": [...removed] });
  return { kind: "keywords", flags: Object.fromEntries(edits.filter(([, names]) => names.length > 0)) };
}

async function askInfo({ bug, comments, parts, context }: Asked): Promise<Part> {
  const flag = needinfoFlagName(context);
  await readFlagTypeFinder([bug], flag, context); // refuses a flag that the product or component does not have
  const requestOf = (person: string) => `${flag}?(${person})`;
  const isAsked = (person: string) =>
    parts.some(({ flags }) => flags.flags?.includes(requestOf(person))) ||
    flagsRequestedFrom(person, flag, bug.flags).length > 0;
  const others = people(bug, comments).filter(({ value }) => !isAsked(value));
  const find = userSearch(context, (me, own) => [...others.filter(({ value }) => value !== own), ...me]);
  const login = await askUser("information from", find, context);
  if (isAsked(login)) throw usageError(`${flag} is already requested from ${login}`);
  return { kind: "needinfo", flags: { flags: [requestOf(login)] }, ...(await askText("question", context)) };
}

/** The text of a comment that a part may have; empty without one. */
async function askText(name: string, { io }: Context): Promise<{ text?: string }> {
  const message = `${name} (Enter for none)`;
  const text = await io.prompt({ kind: "line", message, isLong: true, hasBack: true });
  return text.trim() === "" ? {} : { text: checkedText("comment", text) };
}

async function askOriginal({ bug, context }: Asked): Promise<Part> {
  return { kind: "status", flags: { "dupe-of": await promptForOriginal(bug, context) } };
}

async function askConfirmed({ bug, catalog }: Asked): Promise<Part> {
  if (bug.status !== UNCONFIRMED) throw usageError(`${TRIAGE_KEYS.confirm.key} confirms a bug that is ${UNCONFIRMED}`);
  return { kind: "status", flags: { status: confirmedStatus(catalog) } };
}

/** A status that the tracker allows next; a closed one of an open bug needs a resolution. */
async function askStatus(asked: Asked): Promise<Part> {
  const { bug, catalog, context, pending } = asked;
  const from = bug.status ?? "";
  const closed = statusNames(catalog, "closed");
  const all = [...statusNames(catalog, "open"), ...closed];
  const allowed = statusMoves(catalog, from)?.map(({ name }) => name) ?? all;
  const names = [...all.filter((name) => name !== from && allowed.includes(name)), DUPLICATE];
  const status = await askAmong("status", names, pending.status ?? from, context);
  if (status === DUPLICATE) return askOriginal(asked);
  const isClosing = closed.includes(status) && isOpen(bug, catalog);
  return isClosing ? closeAs(asked, { status }) : { kind: "status", flags: { status } };
}

/** A resolution with these flags, and a comment if there is one, or the original of a duplicate. */
async function closeAs(asked: Asked, flags: UpdateFlags): Promise<Part> {
  const { bug, pending, context } = asked;
  const current = pending.resolution ?? bug.resolution ?? "";
  const resolution = await askAmong("close as", valuesOf("resolution", asked), current, context);
  if (resolution === DUPLICATE) return askOriginal(asked);
  return { kind: "status", flags: { ...flags, resolution }, ...(await askText("comment", context)) };
}

async function askComment({ bug, context }: Asked): Promise<Part> {
  const message = "comment (Enter opens the editor)";
  const typed = await context.io.prompt({ kind: "line", message, isLong: true, hasBack: true });
  const text = typed.trim() === "" ? await editComment(bug, context) : typed;
  return { kind: "comment", flags: {}, text: checkedText("comment", text) };
}

async function askReply({ context }: Asked): Promise<Part> {
  const replies = savedReplies(context.session.settings);
  if (replies.size === 0) throw usageError("no saved replies", "bt config set reply.thanks 'Thank you!'");
  const choices = [...replies].map(([value, text]) => ({ value, name: plain(value), about: plain(text) }));
  const name = await askChoice("saved reply", choices, context);
  return { kind: "comment", flags: {}, text: checkedText("comment", replies.get(name) ?? "") };
}

/** The users of a bug, each once: reporter, assignee, QA contact, and commenters, the latest first. */
function people(bug: Bug, comments: readonly Comment[]): PromptChoice[] {
  const roles = [...new Set<PersonField>(["creator", ...PERSON_FIELDS])];
  const named = roles.flatMap((role) => bug[`${role}_detail`] ?? []);
  const logins = [...roles.map((role) => bug[role]), ...comments.map(({ creator }) => creator).reverse()];
  const distinct = [...new Set(logins)].flatMap((login) => login ?? []).filter((login) => login !== "");
  return distinct.map((login) => userChoice(named.find(({ name }) => name === login) ?? { name: login }));
}
