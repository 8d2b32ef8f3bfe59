import { readBug } from "../../../api/bugs/bug-numbers.ts";
import { type Catalog, requireField } from "../../../api/catalog/catalog.ts";
import { activeNames, statusMoves, statusNames, valueNoun } from "../../../api/catalog/legal-values.ts";
import { unlessNotOffered } from "../../../api/facts/optional.ts";
import { partition } from "../../../api/lists.ts";
import { nearestNames } from "../../../api/nearest.ts";
import { commandFlagName, requestFor } from "../../../api/operations/operation.ts";
import { GET_PRODUCTS } from "../../../api/operations/tracker.ts";
import { findUsersLike } from "../../../api/people.ts";
import { readProducts } from "../../../api/response/response-objects.ts";
import { flagsRequestedFrom } from "../../../api/write/flag-requests.ts";
import { checkedText } from "../../../api/write/limits.ts";
import {
  confirmedStatus,
  DUPLICATE,
  defaultClosedStatus,
  isOpen,
  moveRefusal,
  UNCONFIRMED,
} from "../../../api/write/moves.ts";
import { lacksValue } from "../../../api/write/product-move.ts";
import { isNotFound, usageError } from "../../../errors.ts";
import { cancelledError, matchingChoices, type PromptChoice, type SearchQuestion } from "../../../prompt/question.ts";
import { note } from "../../../session/note.ts";
import { savedReplies } from "../../../session/saved-replies.ts";
import { knownLogin } from "../../../session/session.ts";
import { plain } from "../../../view/text.ts";
import { type Bug, PER_PRODUCT_FIELDS, PERSON_FIELDS, type PersonField, ROLE_NAMES } from "../../../wire/bug-fields.ts";
import type { Comment } from "../../../wire/resources.ts";
import { promptForOriginal } from "../../shared/bug-picker.ts";
import { choiceOf, userChoice, userSearch } from "../../shared/prompts.ts";
import { editComment } from "../../shared/text/input-text.ts";
import type { Context } from "../../verb.ts";
import { needinfoFlagName, readFlagTypeFinder } from "../write/needinfo-flag.ts";
import type { TriageStep, UpdateFlags } from "./step-flags.ts";

/** Context of a step: the bug, the steps before it, and the flags of `bt bug update` that they are. */
type StepContext = {
  bug: Bug;
  comments: readonly Comment[];
  steps: readonly TriageStep[];
  pending: UpdateFlags;
  catalog: Catalog;
  context: Context;
};

/** Prompts for the values of a step; throws an error that the user can correct, or the one of a cancelled prompt. */
export type AskStep = (context: StepContext) => Promise<TriageStep>;

/** Steps of `bt bug triage` by the names of their keys. */
export const STEPS = {
  assignee: askAssignee,
  priority: choiceStep("priority"),
  severity: choiceStep("severity"),
  component: choiceStep("component"),
  product: askProduct,
  keywords: askKeyword,
  whiteboard: textStep("whiteboard"),
  summary: textStep("summary"),
  status: askStatus,
  confirm: confirmStep,
  duplicate: askOriginal,
  close: askResolution,
  needinfo: askInfo,
  comment: askComment,
  reply: askReply,
} as const satisfies Readonly<Record<string, AskStep>>;

async function askAssignee(step: StepContext): Promise<TriageStep> {
  const { bug, comments, context } = step;
  const others = peopleChoices(bug, comments).filter(({ value }) => value !== bug.assigned_to);
  const usual = await defaultAssignee(step);
  const find = userSearch(context, (me, own) => [...me, ...others.filter(({ value }) => value !== own), usual]);
  const login = await askUser("assign to", find, context, usual);
  const assignee = login === usual.value ? usual.login : login;
  return { kind: "assignee", flags: assignee ? { "assigned-to": assignee } : { "reset-assigned-to": true } };
}

const NOBODY = /^(?:nobody|none|no one|unassign(?:ed)?|-+)$/i;

/** The choice of the component's default assignee, with the login: few trackers have a user who stands for nobody. */
async function defaultAssignee({
  bug,
  pending,
  context,
}: StepContext): Promise<PromptChoice & { login: string | undefined }> {
  const [product, component] = [pending.product ?? bug.product ?? "", pending.component ?? bug.component ?? ""];
  const request = requestFor(GET_PRODUCTS, { names: product, include_fields: "id,name,components" });
  const [found] = readProducts((await unlessNotOffered(context.session.send(request))) ?? { products: [] });
  const { default_assigned_to: login } = found?.components?.find(({ name }) => name === component) ?? {};
  const choice = choiceOf(`default assignee of ${component}${login ? `: ${login}` : ""}`);
  return { ...choice, login };
}

/** Prompts for a user; of one who stands for nobody, `usual` is the nearest. */
async function askUser(
  message: string,
  find: SearchQuestion["find"],
  { io, session }: Context,
  usual?: PromptChoice,
): Promise<string> {
  const nearest = async (term: string) =>
    usual && NOBODY.test(term.trim()) ? usual.name : (await findUsersLike(term, session.send))?.[0]?.name;
  const chosen = await io.prompt({ kind: "search", message, find, nearest, hasBack: true });
  return chosen === "@me" ? knownLogin(await session.login()) : chosen;
}

function choiceStep(name: "priority" | "severity" | "component"): AskStep {
  return async (step) => {
    const names = valuesOf(name, step, step.pending.product ?? step.bug.product ?? undefined);
    return { kind: name, flags: { [name]: await promptAmong(name, names, presentOf(name, step), step.context) } };
  };
}

function valuesOf(name: string, { catalog }: StepContext, product?: string): string[] {
  return activeNames(requireField(catalog, name), product);
}

/** The value that a bug has, and the one that it gets by the steps so far. */
type Present = { current: string; chosen?: string | undefined };

type ValueField = "priority" | "severity" | "component" | "product" | "status" | "resolution";

function presentOf(name: ValueField, { bug, pending }: StepContext): Present {
  const isOfOther = name === "component" && pending.product !== undefined;
  return { current: isOfOther ? "" : (bug[name] ?? ""), chosen: pending[name] };
}

/** Prompts for one of the values. The present one comes first, so that Enter alone changes nothing. */
function promptAmong(
  message: string,
  names: string[],
  { current, chosen }: Present,
  context: Context,
  refused?: RefusedValues,
) {
  const marks = new Map([
    [DUPLICATE, "mark as duplicate"],
    [chosen, "chosen"],
    [current, "current"],
  ]);
  const [first, others] = partition([...new Set([current, ...names])], (name) => name === (chosen ?? current));
  const choices = [...first, ...others]
    .filter((name) => name !== "")
    .map((value) => ({ value, name: plain(marks.has(value) ? `${value} (${marks.get(value)})` : value) }));
  return promptForChoice(message, choices, context, refused);
}

/** Why values are refused that are not listed; they are found where no other is. */
type RefusedValues = Map<string, string>;

function promptForChoice(
  message: string,
  choices: PromptChoice[],
  { io }: Context,
  refused: RefusedValues = new Map(),
): Promise<string> {
  const others = [...refused.keys()].map(choiceOf);
  const find = async (term: string) => {
    const found = matchingChoices(choices, term);
    return found.length > 0 ? found : matchingChoices(others, term);
  };
  const values = choices.map(({ value }) => value);
  const nearest = async (term: string) => nearestNames(term, values)[0];
  const check = async (value: string) => refused.get(value);
  return io.prompt({ kind: "search", message, find, check, nearest, hasBack: true });
}

/** A product, and the component in it; a version and a milestone, too, if it has none like the bug's. */
async function askProduct(step: StepContext): Promise<TriageStep> {
  const { bug, catalog, context } = step;
  const product = await promptAmong("product", valuesOf("product", step), presentOf("product", step), context);
  const flags: Record<string, string> = { product };
  if (product === bug.product) return { kind: "product", flags };
  for (const name of PER_PRODUCT_FIELDS) {
    const field = requireField(catalog, name);
    if (name !== "component" && !lacksValue(product, field, bug[name])) continue;
    const names = partition(valuesOf(name, step, product), (value) => value === NO_MILESTONE).flat();
    flags[commandFlagName(name)] = await promptAmong(valueNoun(field), names, { current: "" }, context);
  }
  return { kind: "product", flags };
}

const NO_MILESTONE = "---";

/** A keyword to add, or with a minus sign one to remove that the bug has or gets. */
async function askKeyword(step: StepContext): Promise<TriageStep> {
  const { bug, pending, context } = step;
  const own = bug.keywords ?? [];
  const added = new Set(pending["add-keywords"]);
  const removed = new Set(pending["remove-keywords"]);
  const has = (name: string) => added.has(name) || (own.includes(name) && !removed.has(name));
  const all = [...new Set([...own, ...valuesOf("keywords", step)])];
  if (all.length === 0) throw usageError("the tracker has no keywords");
  const [present, absent] = partition(all, has);
  const removals = new Map(present.map((name) => [`-${name}`, name]));
  const choices = [
    { value: "", name: "(no change)" },
    ...absent.map(choiceOf),
    ...present.map((value) => ({ value, name: plain(`${value} (current)`) })),
    ...[...removals.keys()].map((value) => ({ value, name: plain(`${value} (remove)`) })),
  ];
  const message = `keyword to add${present.length > 0 ? ", -name to remove" : ""}`;
  const chosen = await promptForChoice(message, choices, context);
  if (present.includes(chosen)) await note(context.io, `no change: the bug has the keyword ${chosen}`);
  if (chosen === "" || present.includes(chosen)) throw cancelledError();
  const keyword = removals.get(chosen) ?? chosen;
  const edited = own.includes(keyword) ? removed : added;
  if (!edited.delete(keyword)) edited.add(keyword);
  const edits = { "add-keywords": [...added], "remove-keywords": [...removed] };
  return { kind: "keywords", flags: Object.fromEntries(Object.entries(edits).filter(([, names]) => names.length > 0)) };
}

/** A text, which is typed over the one that the bug has or gets. */
function textStep(name: "summary" | "whiteboard"): AskStep {
  const flag = name === "whiteboard" ? "set-whiteboard" : name;
  return async ({ bug, pending, context }) => {
    const start = pending[flag] ?? bug[name] ?? "";
    const check = (typed: string) =>
      name === "summary" && typed.trim() === "" ? "a summary cannot be empty" : undefined;
    const text = await context.io.prompt({ kind: "line", message: name, start, check, hasBack: true });
    return { kind: name, flags: { [flag]: checkedText(name, text.trim()) } };
  };
}

async function askInfo({ bug, comments, steps, context }: StepContext): Promise<TriageStep> {
  const flag = needinfoFlagName(context);
  await readFlagTypeFinder([bug], flag, context); // refuses a flag that the product or component does not have
  const isAsked = (person: string) =>
    steps.some((step) => step.kind === "needinfo" && step.login === person) ||
    flagsRequestedFrom(person, flag, bug.flags).length > 0;
  const [asked, people] = partition(peopleChoices(bug, comments), ({ value }) => isAsked(value));
  const last = asked.map((choice) => ({ ...choice, about: "already asked" }));
  const find = userSearch(context, (me, own) => [...people.filter(({ value }) => value !== own), ...me, ...last]);
  const login = await askUser("information from", find, context);
  if (isAsked(login)) throw usageError(`${flag} is already requested from ${login}`);
  return { kind: "needinfo", flag, login, ...(await askOptionalText("question", context)) };
}

/** The text of a comment that a step may have; empty without one. */
async function askOptionalText(name: string, { io }: Context): Promise<{ text?: string }> {
  const message = `${name} (Enter for none)`;
  const text = await io.prompt({ kind: "line", message, isLong: true, hasBack: true });
  return text.trim() === "" ? {} : { text: checkedText("comment", text) };
}

async function confirmStep({ catalog }: StepContext): Promise<TriageStep> {
  return { kind: "status", flags: { status: confirmedStatus(catalog) } };
}

/** The original of a duplicate, neither missing nor hidden nor the bug itself. */
async function askOriginal({ bug, context }: StepContext): Promise<TriageStep> {
  const { io, session } = context;
  let original: Bug | undefined;
  const check = async (named: string) => {
    try {
      original = await readBug(named, ["summary", "status", "resolution"], session.send);
    } catch (error) {
      if (isNotFound(error)) return error.message;
      throw error;
    }
    return original.id === bug.id ? `bug ${bug.id} cannot be a duplicate of itself` : undefined;
  };
  const ref = await promptForOriginal(bug, context, check);
  const state = original?.resolution || original?.status;
  await io.err(`${plain(`#${original?.id} ${state}  ${original?.summary ?? ""}`)}\n`);
  return { kind: "status", flags: { "dupe-of": ref } };
}

/** A status that the tracker allows next; a closed one of an open bug needs a resolution. */
async function askStatus(step: StepContext): Promise<TriageStep> {
  const { bug, catalog, context } = step;
  const names = [...statusesToChoose(bug, catalog), DUPLICATE];
  const refused: RefusedValues = new Map();
  for (const name of [...statusNames(catalog, "open"), ...statusNames(catalog, "closed")]) {
    const refusal = names.includes(name) ? undefined : moveRefusal(bug, { status: name }, catalog);
    if (refusal && name !== bug.status) refused.set(name, `bug ${bug.id} ${refusal.why}`);
  }
  const status = await promptAmong("status", names, presentOf("status", step), context, refused);
  if (status === DUPLICATE) return askOriginal(step);
  const isClosing = statusNames(catalog, "closed").includes(status) && isOpen(bug, catalog);
  return isClosing ? closeAs(step, { status }) : { kind: "status", flags: { status } };
}

/** The statuses that the tracker allows next: open ones from that of the bug on, unconfirmed last, then closed ones. */
function statusesToChoose({ status }: Bug, catalog: Catalog): string[] {
  const from = status ?? "";
  const open = statusNames(catalog, "open");
  const at = open.indexOf(from);
  const [usual, unconfirmed] = partition(
    [...open.slice(at + 1), ...open.slice(0, at + 1)],
    (name) => name !== UNCONFIRMED,
  );
  const all = [...usual, ...unconfirmed, ...statusNames(catalog, "closed")];
  const allowed = statusMoves(catalog, from)?.map(({ name }) => name) ?? all;
  return all.filter((name) => name !== from && allowed.includes(name));
}

async function askResolution(step: StepContext): Promise<TriageStep> {
  return closeAs(step, isOpen(step.bug, step.catalog) ? { status: defaultClosedStatus(step.catalog) } : {});
}

/** A resolution with these flags, and a comment if there is one, or the original of a duplicate. */
async function closeAs(step: StepContext, flags: UpdateFlags): Promise<TriageStep> {
  const names = valuesOf("resolution", step);
  const resolution = await promptAmong("close as", names, presentOf("resolution", step), step.context);
  if (resolution === DUPLICATE) return askOriginal(step);
  return { kind: "status", flags: { ...flags, resolution }, ...(await askOptionalText("comment", step.context)) };
}

async function askComment({ bug, context }: StepContext): Promise<TriageStep> {
  const message = "comment (Enter opens the editor)";
  const typed = await context.io.prompt({ kind: "line", message, isLong: true, hasBack: true });
  const text = typed.trim() === "" ? await editComment(bug, context) : typed;
  return { kind: "comment", text: checkedText("comment", text) };
}

async function askReply({ context }: StepContext): Promise<TriageStep> {
  const replies = savedReplies(context.session.settings);
  if (replies.size === 0) throw usageError("no saved replies", "bt config set reply.thanks 'Thank you!'");
  const choices = [...replies].map(([value, text]) => ({ value, name: plain(value), about: plain(text) }));
  const name = await promptForChoice("saved reply", choices, context);
  return { kind: "comment", text: checkedText("comment", replies.get(name) ?? "") };
}

/** The users of a bug, each once: reporter, assignee, QA contact, and commenters, the latest first. */
function peopleChoices(bug: Bug, comments: readonly Comment[]): PromptChoice[] {
  const named = PERSON_ROLES_IN_ORDER.flatMap((role) => bug[`${role}_detail`] ?? []);
  const logins = [
    ...PERSON_ROLES_IN_ORDER.map((role) => bug[role]),
    ...comments.map(({ creator }) => creator).reverse(),
  ];
  const choices = new Map<string, PromptChoice>();
  for (const login of logins) {
    if (!login || choices.has(login)) continue;
    const user = named.find(({ name }) => name === login) ?? { name: login };
    choices.set(login, { ...userChoice(user), ...roleIn(bug, login) });
  }
  return [...choices.values()];
}

const PERSON_ROLES_IN_ORDER = [...new Set<PersonField>(["creator", ...PERSON_FIELDS])];

function roleIn(bug: Bug, login: string): { about?: string } {
  const role = PERSON_ROLES_IN_ORDER.find((field) => bug[field] === login);
  return role === undefined ? {} : { about: ROLE_NAMES[role] };
}
