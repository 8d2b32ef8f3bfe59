import { statSync } from "node:fs";
import { join } from "node:path";
import { folderToWrite, replaceFile } from "../config/files.ts";
import type { Io } from "../io.ts";
import { countText } from "../view/text.ts";
import { DAY_MS } from "../wire/time.ts";
import { listJobs } from "./job-files.ts";

/** Daily notice about writes with unknown outcome; undefined if there are none. */
export function unknownOutcomeNotice(io: Io): string | undefined {
  try {
    const open = listJobs(io).filter(({ state, isHeld }) => state === "unknown" && !isHeld);
    const [first] = open;
    if (!first || wasRemindedToday(io)) return undefined;
    const count = countText(open.length, "write");
    const named = open.length === 1 ? first.name : "JOB, for the jobs of bt job list";
    return `${count} with unknown outcome: bt job send ${named}`;
  } catch {
    return undefined; // a reminder must never fail a command
  }
}

function wasRemindedToday(io: Io): boolean {
  const file = join(folderToWrite("state", io), "reminded");
  const remindedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (io.now().getTime() - remindedAt < DAY_MS) return true;
  replaceFile(file, "", { lasting: false });
  return false;
}
