import { EXIT_CODES } from "../errors.ts";
import { MIRROR_LIMITS } from "../wire/mirror.ts";
import type { TopicPage } from "./topic-page.ts";

/** Page of `bt help offline`. */
export const OFFLINE_PAGE: TopicPage = {
  title: "Working with a mirror",
  parts: [
    {
      rows: [
        ["bt mirror create work -p Lantern", "copy a product"],
        ["bt mirror sync work", "copy its changes since then"],
        ["bt bug search --offline is:open", "search the copy"],
      ],
    },
    {
      text: `A mirror is a copy of a tracker, or of some of its products, on this machine. With --offline or BT_OFFLINE=1, bt
sends no request: it reads the mirror of the tracker and login that it would otherwise use. A mirror has what its login
sees: for another login, or a key of unknown login, --offline is refused (exit code ${EXIT_CODES.guard.code}), and --as-mirror-owner reads
it as its owner does, as --base-url mirror:NAME does; the note says whose view it is. Every command that reads works,
in every format, and prints the same; a note on stderr names the mirror, what it has, and its age: "mirror work: only
Lantern; as of 10:40". Trackers on this machine (local:, demo:) need no mirror: --offline reads and changes them
directly. In a mirror of products, depends_on and blocks may still name a deleted bug of another product. Users are those
of the mirror's bugs, with id, login and name; saved searches are those of the last sync. JSON of bugs has no update_token,
which only changes need.

Of several mirrors, --offline reads the one that was synchronized last, if it has all products, components or bugs that
the command names. Everything else is read from the mirror that has the bugs of all others; without such a mirror,
--offline is refused. --base-url mirror:work chooses one.

What is not in the mirror is reported as such (exit code ${EXIT_CODES.missing.code}), and a search of a product, or a component, of which it has no bugs
is refused (exit code ${EXIT_CODES.usage.code}). A mirror is read-only: with --offline, commands that write are refused, too.

Texts are compared without regard to letter case, and to accents if the tracker ignores them. "fulltext" may know other
stop words and rank differently than the tracker, and punctuation may sort differently.

A mirror refuses:`,
    },
    {
      rows: Object.values(MIRROR_LIMITS).map(({ about, reason }) => [about, reason] as const),
      isBelow: true,
    },
  ],
};
