import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../config/files.ts";
import { BtError } from "../../errors.ts";
import { fileReason } from "../../file-reason.ts";
import type { Io } from "../../io.ts";
import type { Opened } from "../../tracker/open.ts";
import { mailText } from "../../tracker/outbox/mail-text.ts";
import { markSent, waitingMails } from "../../tracker/outbox/outbox.ts";
import type { Tracker } from "../../tracker/tracker.ts";

/** The clock, and where trouble with mails is told: the change that caused them is stored, so its answer says nothing of it. */
type Talk = Pick<Io, "now" | "err">;

/**
 * The tracker with a folder into which every mail that a change causes is dropped as an .eml file, once the change is
 * stored. A crash in between leaves the mail waiting for the next start; the file's name keeps it from standing twice.
 */
export function droppingMails({ tracker, store }: Opened, folder: string, { now, err }: Talk): Tracker {
  const drop = () => {
    try {
      for (const mail of waitingMails(store)) {
        const file = join(folder, `${mail.id}-bug-${mail.bug_id}.eml`);
        writeFileSync(`${file}.part`, mailText(mail), { mode: 0o600 });
        renameSync(`${file}.part`, file);
        markSent(store, mail.id, now().toISOString());
      }
    } catch (error) {
      void err(`a mail could not be dropped, and waits for the next change: ${fileReason(error)}\n`);
    }
  };
  prepare(folder);
  drop();
  return async (request, origin) => {
    const reply = await tracker(request, origin);
    if (request.method !== "GET") drop();
    return reply;
  };
}

function prepare(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw new BtError("local", `the folder for mails cannot be made: ${fileReason(error)}`, {
      changed: "nothing",
    });
  }
}
