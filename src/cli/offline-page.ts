import { MIRROR_LIMITS } from "../wire/mirror-limits.ts";
import type { TopicPage } from "./topic-page.ts";

/** Page of `bt help offline`. */
export const OFFLINE_PAGE: TopicPage = {
  title: "Working with a mirror",
  parts: [
    {
      text: `A mirror is a copy of a tracker, or of a part of it, on this machine. With --offline or BT_OFFLINE=1, bt
reads from the mirror of the tracker and login that it would otherwise connect to; --base-url mirror:NAME selects a
mirror by name. No request is sent. Every command that reads works, in every format, with the same output as from the
tracker; the age of the mirror is printed on stderr ("as of 12 min ago"). Trackers on this machine (local:, demo:)
need no mirror: --offline reads and changes them directly.

A search that may match bugs outside the criteria of the mirror is refused, unless it names bugs that are in the
mirror; --partial searches only those in the mirror. A bug, comment or attachment that is not in a mirror with
criteria, of public bugs or of an unfinished first sync may exist on the tracker: commands that name it are refused
(exit code 2). In any other mirror it is reported as missing, as of the mirror's age (5). During the first sync,
searches report its progress, and bug check, bug wait and --fail-similar are refused without --partial.

"bt bug similar" and "bt report" use a mirror of the whole tracker automatically if it is at most a day old; --refresh
reads from the tracker. Completion offers the bugs, users and values of a mirror.

"fulltext" uses the mirror's own index: stop words and the order by relevance may differ from the tracker's. Text
comparisons ignore letter case, and accents if the tracker does.

A mirror is read-only: with --offline, commands that write are refused (2).

Requests that a mirror refuses:`,
    },
    {
      rows: Object.values(MIRROR_LIMITS).map(({ about, reason }) => [about, reason] as const),
      isBelow: true,
    },
  ],
};
