import { EXIT_CODES } from "../../errors.ts";

const { guard, missing, usage } = EXIT_CODES;

/** Page of `bt help offline`. */
export const OFFLINE_PAGE = `# Working with a mirror

bt mirror create work -p Lantern
: copy a product
bt mirror sync work
: copy its changes since then
bt bug search --offline is:open
: search the copy

A mirror is a copy of a tracker, or of some of its products, as one login sees it. With --offline or BT_OFFLINE=1, bt
sends no request: it reads the mirror of its tracker and login. Another login is refused (exit code ${guard.code}); --base-url
mirror:NAME reads a mirror as it is. Every command that reads works; a note says how old the mirror is. Commands that write
are refused (${usage.code}).

A sync reads new and changed bugs and, once a day, finds deleted ones: bugs that were hidden from you or deleted may stay
readable for up to a day. Comment tags, votes and renamed users are as old as the last read of their bug.

Nothing is guessed: an object that is not in the mirror is missing (${missing.code}), and a condition is refused (${usage.code}) on

- is:unread, last_visit and idle; the members of groups; quicksearch and raw parameters
- hours and private things, if your login sees none
- attachment_data

Contents of attachments are there if it was created with --attachments all.

Text is compared ignoring case, not accents. A mirror lists only the users of its bugs, without groups. Days of custom fields may
be a day early if the tracker's zone is over 12 hours east. local: and demo: need no mirror: --offline reads and changes them.
`;
