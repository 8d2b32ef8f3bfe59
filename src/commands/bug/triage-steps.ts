import { bugRef } from "../../api/bug-ref.ts";
import { type Catalog, requireField } from "../../api/catalog.ts";
import { legalNames, statusNames } from "../../api/legal-values.ts";
import { requestsTo } from "../../api/write/flag-requests.ts";
import { checkedText } from "../../api/write/limits.ts";
import { DUPLICATE, isOpen } from "../../api/write/moves.ts";
import { usage } from "../../errors.ts";
import { matching, type PromptChoice } from "../../prompt/question.ts";
import { savedReplies } from "../../session/saved-replies.ts";
import { knownLogin } from "../../session/session.ts";
import { plain } from "../../view/text.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Context } from "../verb.ts";
import { flagNameOf } from "./flag-requests.ts";
import { choiceOf, userSearch } from "./form-fields.ts";
import { filledReply, type TriageStep } from "./triage-change.ts";

/** The bug that a step is about, with the steps before. */
export type StepGround = {
  readonly bug: Bug;
  readonly steps: readonly TriageStep[];
  readonly catalog: Catalog;
  readonly context: Context;
};

/** Prompts for what a key needs; throws an error that the user can mend. */
type AskStep = (ground: StepGround) => Promise<TriageStep>;

/** A key that adds to the change of a bug. */
export type StepKey = { readonly key: string; readonly name: string; readonly ask: AskStep };

/** The keys that add to the change of a bug. */
export const STEP_KEYS: readonly StepKey[] = [
  { key: "a", name: "assign", ask: askAssignee },
  { key: "p", name: "priority", ask: askPriority },
  { key: "n", name: "needinfo", ask: askInfo },
  { key: "d", name: "duplicate", ask: askOriginal },
  { key: "c", name: "close", ask: askResolution },
  { key: "m", name: "comment", ask: askComment },
  { key: "r", name: "reply", ask: askReply },
];

async function askAssignee({ context }: StepGround): Promise<TriageStep> {
  const login = await askUser("assign to", context);
  return { kind: "assign", flags: { "assigned-to": login } };
}

async function askUser(message: string, context: Context): Promise<string> {
  const chosen = await context.io.prompt({ kind: "search", message, find: userSearch(context) });
  return chosen === "@me" ? knownLogin(await context.session.login()) : chosen;
}

async function askPriority({ bug, catalog, context }: StepGround): Promise<TriageStep> {
  const names = legalNames(requireField(catalog, "priority"), bug.product ?? undefined) ?? [];
  return { kind: "priority", flags: { priority: await choose("priority", names.map(choiceOf), context) } };
}

function choose(message: string, choices: readonly PromptChoice[], { io }: Context): Promise<string> {
  return io.prompt({ kind: "search", message, find: async (term) => matching(choices, term) });
}

async function askInfo({ bug, steps, context }: StepGround): Promise<TriageStep> {
  const flag = flagNameOf(context);
  const login = await askUser("information from", context);
  const isMeant = steps.some((step) => step.kind === "needinfo" && step.login === login);
  if (isMeant || requestsTo(bug, { name: flag, asked: login }).length > 0)
    throw usage(`${flag} is requested from ${login} already`);
  return { kind: "needinfo", flag, login };
}

async function askOriginal({ bug, context }: StepGround): Promise<TriageStep> {
  const typed = await context.io.prompt({ kind: "line", message: "duplicate of bug" });
  const ref = bugRef(typed.trim(), context.session.address);
  if (ref === String(bug.id)) throw usage(`bug ${bug.id} cannot be a duplicate of itself`);
  return { kind: "close", flags: { "dupe-of": ref } };
}

async function askResolution({ bug, catalog, context }: StepGround): Promise<TriageStep> {
  const names = legalNames(requireField(catalog, "resolution")) ?? [];
  const choices = names.filter((name) => name !== DUPLICATE).map(choiceOf);
  const resolution = await choose("close as", choices, context);
  const [status = "RESOLVED"] = statusNames(catalog, "closed");
  return { kind: "close", flags: { ...(isOpen(bug, catalog) ? { status } : {}), resolution } };
}

async function askComment({ context }: StepGround): Promise<TriageStep> {
  const text = await context.io.prompt({ kind: "line", message: "comment" });
  return { kind: "comment", text: checkedText("comment", text) };
}

async function askReply({ bug, context }: StepGround): Promise<TriageStep> {
  const replies = savedReplies(context.session.settings);
  if (replies.size === 0) throw usage("no saved replies", "bt config set reply.thanks 'Thank you, {reporter}!'");
  const choices = [...replies].map(([name, text]) => ({ value: name, name: plain(name), about: plain(text) }));
  const name = await choose("reply", choices, context);
  return { kind: "comment", text: checkedText("comment", filledReply(replies.get(name) ?? "", bug)) };
}
