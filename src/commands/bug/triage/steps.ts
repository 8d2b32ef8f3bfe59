import { readBug } from "../../../api/bugs/bug-numbers.ts";
import { type Catalog, requireField } from "../../../api/catalog/catalog.ts";
import { legalNames, statusMoves, statusNames } from "../../../api/catalog/legal-values.ts";
import { partition } from "../../../api/lists.ts";
import { flagsRequestedFrom } from "../../../api/write/flag-requests.ts";
import { checkedText } from "../../../api/write/limits.ts";
import { DUPLICATE, defaultClosedStatus, isOpen, UNCONFIRMED } from "../../../api/write/moves.ts";
import { usageError } from "../../../errors.ts";
import { matchingChoices, type PromptChoice, type SearchQuestion } from "../../../prompt/question.ts";
import { savedReplies } from "../../../session/saved-replies.ts";
import { knownLogin } from "../../../session/session.ts";
import { noticeText } from "../../../view/messages.ts";
import { plain } from "../../../view/text.ts";
import { type Bug, PERSON_FIELDS, type PersonField, ROLE_NAMES } from "../../../wire/bug-fields.ts";
import type { Comment } from "../../../wire/resources.ts";
import { originalQuestion } from "../../shared/bug-picker.ts";
import { choiceOf, userChoice, userSearch } from "../../shared/prompts.ts";
import { editComment } from "../../shared/text/input-text.ts";
import type { Context } from "../../verb.ts";
import { needinfoFlagName } from "../write/needinfo.ts";
import { workStatus } from "../write/status-verbs.ts";
import { filledReply, type TriageStep } from "./step-flags.ts";

/** Context of a step: the bug, and the steps before it. */
type StepContext = {
  bug: Bug;
  comments: readonly Comment[];
  steps: readonly TriageStep[];
  catalog: Catalog;
  context: Context;
};

/** Prompts for the values of a step; throws an error that the user can correct, or the one of a cancelled prompt. */
type AskStep = (context: StepContext) => Promise<TriageStep>;

/** A key that adds a step to the change of a bug; with `isFor`, only for some bugs. */
type StepKey = {
  key: string;
  name: string;
  isFor?: (bug: Bug) => boolean;
  ask: AskStep;
};

/** Keys of `bt bug triage` that add a step to the change of a bug. */
export const STEP_KEYS: readonly StepKey[] = [
  { key: "a", name: "assign", ask: askAssignee },
  { key: "p", name: "priority", ask: choiceStep("priority") },
  { key: "e", name: "severity", ask: choiceStep("severity") },
  { key: "t", name: "component", ask: choiceStep("component") },
  { key: "n", name: "needinfo", ask: askInfo },
  { key: "S", name: "status", ask: askStatus },
  { key: "o", name: "confirm", isFor: ({ status }) => status === UNCONFIRMED, ask: confirmStep },
  { key: "d", name: "duplicate", ask: askOriginal },
  { key: "c", name: "close", ask: askResolution },
  { key: "m", name: "comment", ask: askComment },
  { key: "r", name: "reply", ask: askReply },
];

async function askAssignee({ bug, comments, context }: StepContext): Promise<TriageStep> {
  const others = peopleChoices(bug, comments).filter(({ value }) => value !== bug.assigned_to);
  const find = userSearch(context, (me, own) => [...me, ...others.filter(({ value }) => value !== own)]);
  return { kind: "assign", flags: { "assigned-to": await askUser("assign to", find, context) } };
}

async function askUser(message: string, find: SearchQuestion["find"], { io, session }: Context): Promise<string> {
  const chosen = await io.prompt({ kind: "search", message, find, hasBack: true });
  return chosen === "@me" ? knownLogin(await session.login()) : chosen;
}

function choiceStep(name: "priority" | "severity" | "component"): AskStep {
  return async ({ bug, catalog, context }) => {
    const names = legalNames(requireField(catalog, name), bug.product ?? undefined) ?? [];
    return { kind: name, flags: { [name]: await promptForChoice(name, names.map(choiceOf), context) } };
  };
}

function promptForChoice(message: string, choices: PromptChoice[], { io }: Context): Promise<string> {
  return io.prompt({ kind: "search", message, find: async (term) => matchingChoices(choices, term), hasBack: true });
}

async function askInfo({ bug, comments, steps, context }: StepContext): Promise<TriageStep> {
  const flag = needinfoFlagName(context);
  const isAsked = (login: string) =>
    steps.some((step) => step.kind === "needinfo" && step.login === login) ||
    flagsRequestedFrom(login, flag, bug.flags).length > 0;
  const people = peopleChoices(bug, comments).filter(({ value }) => !isAsked(value));
  const find = userSearch(context, (me, own) => [...people.filter(({ value }) => value !== own), ...me]);
  const login = await askUser("information from", find, context);
  if (isAsked(login)) throw usageError(`${flag} is already requested from ${login}`);
  const text = await context.io.prompt({ kind: "line", message: "question", isLong: true, hasBack: true });
  return { kind: "needinfo", flag, login, ...(text.trim() === "" ? {} : { text: checkedText("comment", text) }) };
}

async function confirmStep({ catalog }: StepContext): Promise<TriageStep> {
  return { kind: "status", flags: { status: workStatus(catalog, 0) } };
}

async function askOriginal({ bug, context }: StepContext): Promise<TriageStep> {
  const ref = await context.io.prompt({ ...originalQuestion(bug, context), hasBack: true });
  const { io, session, output } = context;
  const original = await readBug(ref, ["summary", "status", "resolution"], session.send);
  if (original.id === bug.id) throw usageError(`bug ${bug.id} cannot be a duplicate of itself`);
  const state = original.resolution || original.status;
  await io.err(noticeText(plain(`#${original.id} ${state}  ${original.summary ?? ""}`), output.view));
  return { kind: "status", flags: { "dupe-of": ref } };
}

/** A status that the tracker allows next; a closed one of an open bug needs a resolution. */
async function askStatus(step: StepContext): Promise<TriageStep> {
  const { bug, catalog, context } = step;
  const status = await promptForChoice("status", nextStatuses(bug, catalog).map(choiceOf), context);
  const isClosing = statusNames(catalog, "closed").includes(status) && isOpen(bug, catalog);
  return { kind: "status", flags: { status, ...(isClosing ? { resolution: await promptForResolution(step) } : {}) } };
}

/** The statuses that the tracker allows next: open ones from that of the bug on, unconfirmed last, then closed ones. */
function nextStatuses({ status }: Bug, catalog: Catalog): string[] {
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
  const resolution = await promptForResolution(step);
  const status = defaultClosedStatus(step.catalog);
  return { kind: "status", flags: { ...(isOpen(step.bug, step.catalog) ? { status } : {}), resolution } };
}

function promptForResolution({ catalog, context }: StepContext): Promise<string> {
  const names = legalNames(requireField(catalog, "resolution")) ?? [];
  return promptForChoice("close as", names.filter((name) => name !== DUPLICATE).map(choiceOf), context);
}

async function askComment({ bug, context }: StepContext): Promise<TriageStep> {
  const message = "comment (Enter opens the editor)";
  const typed = await context.io.prompt({ kind: "line", message, isLong: true, hasBack: true });
  const text = typed.trim() === "" ? await editComment(bug, context) : typed;
  return { kind: "comment", text: checkedText("comment", text) };
}

async function askReply({ bug, context }: StepContext): Promise<TriageStep> {
  const replies = savedReplies(context.session.settings);
  if (replies.size === 0) throw usageError("no saved replies", "bt config set reply.thanks 'Thank you, {reporter}!'");
  const choices = [...replies].map(([name, text]) => ({ value: name, name: plain(name), about: plain(text) }));
  const name = await promptForChoice("reply", choices, context);
  return { kind: "comment", text: checkedText("comment", filledReply(replies.get(name) ?? "", bug)) };
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
