import { EXIT_CODES } from "../errors.ts";
import { MIRROR_LIMITS } from "../wire/mirror.ts";
import type { TopicPage } from "./topic-page.ts";

/** Page of `bt help offline`. */
export const OFFLINE_PAGE: TopicPage = {
  title: "Working with a mirror",
  parts: [
    {
      text: `A mirror is a copy of a tracker, or of some of its products, on this machine. With --offline or BT_OFFLINE=1, bt
reads from the mirror of the tracker and login that it would otherwise connect to; --base-url mirror:NAME selects a
mirror by name, whose login the note has then. No request is sent. Every command that reads works, in every format, with the same output as from the
tracker; a note on stderr says what the mirror has, and when it was synchronized: "only Lantern; as of 10:40".
Trackers on this machine (local:, demo:) need no mirror: --offline reads and changes them directly.

A bug that is not in the mirror is reported as missing (exit code ${EXIT_CODES.missing.code}). Before the first sync is complete, the note has
its progress.

"fulltext" uses the mirror's own index: stop words and the order by relevance may differ from the tracker's. Text
comparisons ignore letter case, and accents if the tracker does. Sorted by text, punctuation may come elsewhere.

A mirror is read-only: with --offline, commands that write are refused (${EXIT_CODES.usage.code}).

Requests that a mirror refuses:`,
    },
    {
      rows: Object.values(MIRROR_LIMITS).map(({ about, reason }) => [about, reason] as const),
      isBelow: true,
    },
  ],
};
