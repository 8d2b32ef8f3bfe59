import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../config/files.ts";
import { BtError } from "../../errors.ts";
import { fileReason } from "../../file-reason.ts";
import type { Opened } from "../../tracker/open.ts";
import { mailText } from "../../tracker/outbox/mail-text.ts";
import { markSent, waitingMails } from "../../tracker/outbox/outbox.ts";
import type { Tracker } from "../../tracker/tracker.ts";

/**
 * The tracker with a folder into which every mail that a change causes is dropped as an .eml file, once the change is
 * stored. A crash in between leaves the mail waiting for the next start; the file's name keeps it from standing twice.
 */
export function droppingMails({ tracker, store }: Opened, folder: string, now: () => Date): Tracker {
  const drop = () => {
    for (const mail of waitingMails(store)) {
      const file = join(folder, `${mail.id}-bug-${mail.bug_id}.eml`);
      writeFileSync(`${file}.part`, mailText(mail), { mode: 0o600 });
      renameSync(`${file}.part`, file);
      markSent(store, mail.id, now().toISOString());
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
