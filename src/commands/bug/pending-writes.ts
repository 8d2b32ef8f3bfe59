import { previewChanges } from "../../api/write/preview.ts";
import { requestBody } from "../../api/write/update-request.ts";
import { BtError } from "../../errors.ts";
import { type OfflineJob, openOfflineJobs, openTargets } from "../../session/offline/kept-jobs.ts";
import { countText } from "../../view/text.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Context } from "../verb.ts";
import { asideOf } from "./changes.ts";

/** Writes made from a mirror that are not sent yet: those of a bug as lines, and a notice about all. */
export type PendingWrites = {
  readonly of: (bug: Bug) => readonly string[];
  readonly report: () => Promise<void>;
};

/**
 * The writes that are not sent yet to the bugs of a command.
 * @throws BtError of kind missing for a bug that is not created yet
 */
export function pendingWrites(refs: readonly string[], { io, session }: Context): PendingWrites {
  const open = openOfflineJobs(io, session.address);
  const found = open.find(({ head }) => head.offline.name !== undefined && refs.includes(head.offline.name));
  if (found) throw notCreated(found);
  const of = (names: readonly string[]) =>
    open.filter((job) => job.head.offline.name === undefined && openTargets(job).some((id) => names.includes(id)));
  return {
    of: (bug) => of([String(bug.id)]).map((job) => pendingText(bug, job)),
    report: async () => {
      for (const ref of refs) {
        const count = of([ref]).length;
        if (count > 0)
          await io.err(`bug ${ref}: ${countText(count, "job")} ${count === 1 ? "is" : "are"} not sent (bt job list)\n`);
      }
    },
  };
}

function notCreated({ head }: OfflineJob): BtError {
  return new BtError("missing", `${head.offline.name} is not created yet`, {
    hint: `bt job show ${head.job} shows it`,
    changed: "nothing",
  });
}

/** A write as a line: the changes that are expected, and its job. */
function pendingText(bug: Bug, { head }: OfflineJob): string {
  const body = requestBody(head.request);
  const changes = head.request.operation === "Update Bug" ? previewChanges(bug, body) : {};
  const told = Object.entries(changes).map(
    ([field, { removed, added }]) => `${field} ${removed || "-"} -> ${added || "-"}`,
  );
  const aside = asideOf(body);
  return `${[...told, ...(aside ? [aside] : [])].join(", ")} (job ${head.job})`;
}
