import { MIRROR_LIMITS } from "../wire/mirror-limits.ts";
import type { TopicPage } from "./topic-page.ts";

/** Page of `bt help offline`. */
export const OFFLINE_PAGE: TopicPage = {
  title: "Working with a mirror",
  parts: [
    {
      text: `A mirror is a copy of a tracker, or of a part of it, on this machine. With --offline or BT_OFFLINE=1, bt reads
from the mirror of the tracker and login that it would otherwise connect to; --base-url mirror:NAME reads from a mirror by
name. No request is sent. Every command that reads works, in every format, and prints what it prints from the tracker;
stderr says how old that is ("as of 12 min ago"). Trackers on this machine (local:, demo:) need none: with --offline, too,
they are read, and changed at once.

A search that may find bugs outside the criteria of the mirror is refused, unless it is about bugs that the mirror holds;
--partial searches those that it holds. A bug, comment or attachment that is not in a mirror with criteria, of public bugs
or of an unfinished first sync may be on the tracker: commands that name it are refused (exit code 2). In any other mirror it
is missing, as of its age (5). While the first sync runs, searches say how far it is.

"bt bug similar" and "bt report" read from a mirror of the whole tracker by themselves if it is at most a day old; --refresh
reads from the tracker. Completion offers the bugs, people and values of a mirror.

"fulltext" finds words by the mirror's own index: which words count as too frequent, and the order by relevance, may differ
from the tracker's. Comparisons of texts ignore letter case, and accents as far as the tracker does.

With --offline, bug create, update, close, reopen, confirm, take and dup and comment add keep what they would send as
jobs, checked against the mirror; other writes are refused. A new bug has a temporary name, new-1, by which later
commands with --offline refer to it; in their comments and descriptions, "bug new-1" gets its number. bt job list
lists the jobs, and cards of bug get show those of the bug as "Not sent".

bt job send --all sends them in the order in which they were made, each once, even if it is killed on the way; only the
login that made them can do so. The tracker checks workflow, required fields and rights then. Comments, and adding to a list
or removing from it, are sent whatever happened since. A field is set only if it still has the value of the mirror, or that of
earlier jobs; else the job stays with the status collision: bt job show shows the values, bt job send --force sets its own,
bt job drop gives it up. With --if-unchanged or --unchanged-since, no field of the bug may have been changed by others.
Jobs that depend on one that was not sent wait: those on its new bug or on the same field, and
duplicates of its bug. An update of more than 20 bugs is one job, kept after the prompt that it requires online, too; of it,
the bugs that collide or wait are held back, and the others are sent. The changes of each job are shown, and values that the
tracker ignored are named (exit code 10).

A mirror cannot answer the following, and refuses it:`,
    },
    {
      rows: Object.values(MIRROR_LIMITS).map(({ about, reason }) => [about, reason] as const),
      isBelow: true,
    },
  ],
};
