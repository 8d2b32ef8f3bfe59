import {
  type ChangeChoice,
  chosenChange,
  historyChanges,
  jobChanges,
  type PastChange,
} from "../../api/undo/past-change.ts";
import { isSameLogin } from "../../api/write/flag-requests.ts";
import { BtError, usage } from "../../errors.ts";
import { flagValue } from "../../session/flags.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import { momentOf } from "../input-text.ts";
import { bugTargets } from "../targets.ts";
import type { Context, Input } from "../verb.ts";
import { isLogin } from "./history.ts";
import { loginOrFail } from "./moves.ts";
import { sendUndo, type Undoing } from "./send-undo.ts";
import { historiesOf } from "./thread.ts";
import { bugsToUpdate } from "./update.ts";

/** `bt bug undo`: undoes the last change of each bug by the user, or a chosen one, with the values that its job kept. */
export async function undoBugs(input: Input, context: Context): Promise<void> {
  const choice = choiceOf(input, context);
  const given = flagValue(input.flags["author"]) ?? "@me";
  if (given === "") throw usage("--author is empty");
  const { bugs, lost } = await bugsToUpdate(await bugTargets(input.args, context), context);
  const me = await loginOrFail(context);
  const author = given === "@me" ? me : given;
  const histories = await historiesOf(bugs, undefined, context);
  const changes = await chosenChanges(bugs, { histories, choice, author, me }, context);
  if (changes.size === 0) throw noChange(bugs, { histories, choice, author, me });
  await sendUndo({ bugs, lost, histories, changes, me }, { input, context });
}

type Choosing = Pick<Undoing, "histories" | "me"> & { readonly choice: ChangeChoice; readonly author: string };

/** `--change`: a place, 1 for the last change, or a time. */
function choiceOf({ flags }: Input, context: Context): ChangeChoice {
  const text = flagValue(flags["change"]) ?? "1";
  if (!/^\d{1,4}$/.test(text)) return { when: momentOf(text, context) };
  if (Number(text) > 0) return { place: Number(text) };
  throw usage("--change counts from 1, the last change", "bt bug history shows the times of changes");
}

async function chosenChanges(
  bugs: readonly Bug[],
  choosing: Choosing,
  context: Context,
): Promise<ReadonlyMap<number, PastChange>> {
  const { histories, choice, author, me } = choosing;
  const told = bugs.map(({ id }) =>
    historyChanges(id ?? 0, histories.get(id ?? 0) ?? [], (who) => isLogin(who, author)),
  );
  const jobs = isSameLogin(author, me) ? await ownJobs(told, choosing, context) : [];
  const chosen = bugs.map(({ id }, at) =>
    chosenChange(
      told[at] ?? [],
      jobs.filter(({ bug }) => bug === id),
      choice,
    ),
  );
  return new Map(chosen.flatMap((change) => (change ? [[change.bug, change] as const] : [])));
}

/** Changes by jobs of this machine, oldest first: those that may be newer than the chosen ones of the histories. */
async function ownJobs(
  told: readonly (readonly PastChange[])[],
  { choice, histories, me }: Choosing,
  { session }: Context,
): Promise<readonly PastChange[]> {
  const oldest = told.map((changes) => ("place" in choice ? changes.at(-choice.place)?.when : choice.when));
  const first = Math.min(...oldest.map((when) => (when === undefined ? 0 : Date.parse(when))));
  const jobs = (await session.writer()).jobsSince(first - DAY_MS);
  return jobs
    .filter(({ head }) => head.origin === session.address)
    .flatMap((job) => jobChanges(job, me, histories))
    .filter(({ who }) => isSameLogin(who, me));
}

/** Clocks of this machine and the tracker differ by less. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** Error that names the author of the chosen time if it was another user, and the last changes of a single bug. */
function noChange(bugs: readonly Bug[], { histories, choice, author, me }: Choosing): BtError {
  const [only, ...others] = bugs.map(({ id }) => id ?? 0);
  const by = isSameLogin(author, me) ? `you (${me})` : author;
  const name = others.length > 0 ? `the ${bugs.length} bugs` : `bug ${only}`;
  const history = histories.get(only ?? 0) ?? [];
  const at = "when" in choice ? history.find(({ when }) => Date.parse(when) === Date.parse(choice.when)) : undefined;
  if (at && others.length === 0) {
    return new BtError("no", `the change of bug ${only} at ${at.when} is by ${at.who}, not by ${by}`, {
      hint: `--author ${at.who} undoes it`,
      changed: "nothing",
    });
  }
  return new BtError("no", `nothing to undo: ${name} has no such change by ${by}`, {
    hint: "bt bug history shows all changes; --author and --change choose another one",
    changed: "nothing",
  });
}
