import { jobState } from "../../api/delivery/job-state.ts";
import { isJobFinished, type Job } from "../../api/delivery/journal.ts";
import { writeKind } from "../../api/delivery/write-kinds.ts";
import { jobChanges, type PastChange } from "../../api/undo/past-change.ts";
import { isSameLogin } from "../../api/write/flag-requests.ts";
import { requestBody, writeTargets } from "../../api/write/update-request.ts";
import { BtError, usage } from "../../errors.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { loginOrFail } from "../bug/moves.ts";
import { sendUndo } from "../bug/send-undo.ts";
import { historiesOf } from "../bug/thread.ts";
import { bugsToUpdate } from "../bug/update.ts";
import type { Context, Input } from "../verb.ts";
import { jobNamed, stateText, unreadableJobs } from "./stored.ts";

/** `bt job undo`: undoes what an update of bugs changed, on all its bugs. */
export async function undoJob(input: Input, context: Context): Promise<void> {
  const { name, job, isOpen } = jobNamed(input.args[0] ?? "", context.io);
  if (job === undefined) throw unreadableJobs([name]);
  checkUndoable(job, isOpen, context);
  const me = await loginOrFail(context);
  const ids = jobChanges(job, me).map(({ bug }) => String(bug));
  if (ids.length === 0)
    throw new BtError("no", `nothing to undo: job ${name} changed no fields`, { changed: "nothing" });
  const { bugs, lost } = await bugsToUpdate(ids, context);
  const histories = await historiesOf(bugs, undefined, context);
  const changes = jobChanges(job, me, histories);
  const other = changes.find(({ who }) => !isSameLogin(who, me));
  if (other && !input.flags["as-me"])
    throw usage(`job ${name} is by ${other.who}, not by you (${me})`, "--as-me undoes it anyway");
  await sendUndo({ bugs, lost, histories, changes: byBug(changes), me }, { input, context });
}

function byBug(changes: readonly PastChange[]): ReadonlyMap<number, PastChange> {
  return new Map(changes.map((change) => [change.bug, change]));
}

/** @throws BtError of kind usage for a job of another tracker, an unfinished one, or one that is no update of bugs */
function checkUndoable(job: Job, isOpen: boolean, { session }: Context): void {
  const { head } = job;
  if (head.origin !== session.address)
    throw usage(`job ${head.job} is for ${head.origin}, not for ${session.address}`, `--base-url ${head.origin}`);
  const { operation = "" } = head.request;
  if (operation !== "Update Bug") {
    const what = writeKind(head.request).describe(head.request);
    throw new BtError("usage", `${what} cannot be undone`, {
      details: valuesBefore(job),
      hint: WAYS_ON[operation]?.(job),
      changed: "nothing",
    });
  }
  if (!isOpen || (isJobFinished(job) && job.attempts.length > 0)) return;
  const isCertain = ["draft", "waiting", "interrupted", "collision"].includes(jobState(job));
  const drop = isCertain ? `, or drop the rest: bt job drop ${head.job}` : "";
  throw usage(`job ${head.job} is not complete: ${stateText(job)}`, `complete it: bt job send ${head.job}${drop}`);
}

/** Other ways to take back writes, by kind. */
const WAYS_ON: Readonly<Record<string, (job: Job) => string>> = {
  "Create Bug": () => "bt bug close NUMBER closes the bug",
  "Create Comments": ({ head }) => `bt bug update ${writeTargets(head.request)[0]} --make-private NUMBER hides it`,
  "Create Attachment": () => "bt attachment update ID --is-obsolete yes",
  "Update Attachment": ({ head }) => `set the values again: bt attachment update ${writeTargets(head.request)[0]}`,
  "Update Comment Tags": ({ head }) => `bt tag update ${writeTargets(head.request)[0]} --add TAG or --remove TAG`,
  "Update Group": ({ head }) => `set the values again: bt group update ${writeTargets(head.request)[0]}`,
  "Create Group": () => "bt group update NAME --is-active no",
};

/** Values that the journal kept from before an update of an attachment or group. */
function valuesBefore({ head, attempts }: Job): readonly string[] {
  const names = Object.keys(requestBody(head.request));
  const before = attempts.flatMap(({ sent }) => sent.before ?? []) as readonly JsonObject[];
  return before.flatMap((thing) =>
    names
      .filter((name) => name !== "id" && ["string", "number", "boolean"].includes(typeof thing[name]))
      .map((name) => `${thing["id"] ?? thing["name"]}: ${name} was "${thing[name]}"`),
  );
}
