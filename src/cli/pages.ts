/** Pages of `bt help` as they are printed; the first line is the title. */

export const DELIVERY_PAGE = `Delivery of writes, and what to do after a failure

Every command that writes is recorded in a journal before the first request is
sent. If the response to a write is lost, or is an internal error of the
tracker, bt looks for the write for up to 30 seconds. The exit code is 0 if the
write was found, else 9: the outcome is unknown. Do not repeat the command;
continue with its job:

  bt job list      unfinished jobs; with --last the last 50 commands that wrote,
                   with results
  bt job show JOB  its requests and results
  bt job send JOB  look again, show what is left, and send it after
                   confirmation, or with --yes
  bt job drop JOB  remove it

A write is found if exactly one object equals what was sent, is yours, and is as
old as the request; an update also by its values. A write is sent again without
"bt job send" only if no byte of it was sent, or if the tracker returned 429
with Retry-After. A write that is not found may still wait for a lock: "bt job
send" waits until a minute has passed. Reads are retried up to three times
within one timeout (settings retry, timeout).

All bugs of an update are checked before the first write. If some cannot be
updated, or there are more than 20, bt shows what it would update, and updates
it after confirmation or with --yes. The output of a pipe has one line per bug:
applied, unchanged, refused, unknown, not tried. After Ctrl-C, a crash, a server
failure or a refused login "bt job send" continues, and updates no bug twice. A
bug with a value that somebody else has changed since is not updated, and a
refused update is not sent again: run the command again once the tracker accepts
it.

With --if-unchanged a bug that is modified after this command read it is not
updated (exit code 11), with --unchanged-since a bug that was modified after a
time, such as when you looked at it. Without them, a warning has both values
where the update overwrote a newer change.

"bt bug undo" restores the values that your last change replaced, or a job with
--job; the journal keeps them for a month. Values that were changed since are
kept and listed, as are parts that cannot be undone (exit code 10).

A job belongs to the user who started it. If the journal is damaged, nothing is
sent.

If stdout is closed early, as in "bt bug create ... | true", the id or the
number of updated bugs is printed on stderr, and the exit code is 12.
`;

export const FORMATS_PAGE = String.raw`Output formats

  On a terminal  a table or card fitted to the width, in colour, with local
                 times, paged if it does not fit
  In a pipe      one tab-separated line per item, its columns as in the header
                 of csv, never truncated, times in ISO 8601 UTC; tabs, line
                 breaks and backslashes inside a field are escaped as \t, \n and
                 \\; a change has a line for each object: id, result, changes,
                 last_change_time, error

  --format table   the terminal format, also in a pipe
  --format tsv     the pipe format, also on a terminal
  --format csv     comma-separated values (RFC 4180), with a header line of the
                   names that --fields takes; cells that begin with = + - @ are
                   prefixed with an apostrophe, so that spreadsheets do not run
                   them as formulas, unless --raw is given
  --format json    an array with the tracker's own names and values (same as
                   --json): summary, not title
  --format ndjson  the same, one object per line
  --format ids     ids only, one per line; of a change, the ids of changed
                   objects

  --jq EXPRESSION      the JSON, filtered by jq; strings are printed raw; with
                       --format ndjson line by line
  --fields id,summary  columns or keys; only those are fetched; _default,
                       _custom, _extra and _all are groups of fields

json, ndjson, tsv, csv and ids are printed as the pages arrive; a JSON array that
breaks off has no end. In TSV, an empty resolution is ---.

  # columns in a shell; without tr, read skips empty columns
  $ bt bug search is:open --fields id,alias,summary | tr '\t' '\037' | while \
      IFS=$'\037' read -r id alias rest; do echo "$id: $rest"; done
  # awk and cut -f keep empty columns
  $ bt todo | awk -F '\t' '{ print $2 }'
  # hours worked, by person
  $ bt bug search 'actual_time > 0' --format ids | bt bug history - --field \
      work_time --jq '.[].history[] | "\(.who) \(.changes[].added)"' | awk \
      '{ h[$1] += $2 } END { for (w in h) print w, h[w] }'
`;

export const OFFLINE_PAGE = `Working with a mirror

  bt mirror create work -p Lantern  copy a product
  bt mirror sync work               copy its changes since then
  bt bug search --offline is:open   search the copy

A mirror is a copy of a tracker, or of some of its products, as one login sees
it. With --offline or BT_OFFLINE=1, bt sends no request: it reads the mirror of
its tracker and login. Another login is refused (exit code 13); --base-url
mirror:NAME reads a mirror as it is. Every command that reads works, except bt
user search; a note says how old the mirror is. Commands that write are refused
(2).

A sync reads new and changed bugs and, once a day, finds deleted ones: bugs that
were hidden from you or deleted may stay readable for up to a day. Comment tags,
votes and renamed users are as old as the last read of their bug.

Nothing is guessed: an object that is not in the mirror is missing (5), and a
condition is refused (2) on

  - is:unread, last_visit and idle; the members of groups; quicksearch and raw
    parameters
  - hours, private comments and private attachments, if your login cannot see
    them
  - attachment_data

Contents of attachments are there if the mirror was created with
--attachments all.

Text is compared ignoring case, not accents. Days of custom fields may be a day
early if the tracker's zone is over 12 hours east. local: and demo: need no
mirror: --offline reads and changes them.
`;

/** A test runs each term of its lists. */
export const QUERY_PAGE = String.raw`Query language of search terms and --where

  bt bug search is:open component:Editor crash
                                    terms; a bug must meet all of them
  bt bug search --where 'priority >= High or has:flag'
                                    one expression, in single quotes

Terms, expressions and flags such as --status are combined with "and". Several
words in one argument are one phrase of the summary ('red eye'), unless they
contain a condition, an operator (and, or, not), a bracket or a quote.

Conditions:
  crash                           a single word: the summary contains it;
                                  numbers alone are bugs
  status:RESOLVED                 a text field contains the value; any other
                                  field equals it
  status:UNCONFIRMED,CONFIRMED    any of these
  status = RESOLVED               equals; != is "does not equal"
  component in (Editor, Library)  any of these; not in (...)
  summary ~ "red eye"             contains this text, in capital or small
                                  letters; !~ does not
  summary =~ /crash|hang/         a regular expression, in any letter case; !=~:
                                  no match
  summary =~ "\bcrash\b"          in quotes a backslash is itself, except in \"
                                  and \\
  summary ^= Import               begins with; $= ends with
  priority >= High                High and above; also > < <=
  comments > 1                    has a comment: the description counts as the
                                  first
  id:10..20                       inclusive; id:10..<20 without 20, id:10.. from
                                  10 on
  deadline is empty               also is not empty, has:deadline, no:deadline;
                                  a number is empty if it is 0
  assignee = @me                  a login, @me, @reporter, @assignee, @qa or
                                  @group.NAME
  flag(needinfo? requestee @me)   a flag and its requestee or setter, of the bug
                                  or an attachment
  comment ~ "out of memory"       text in any comment
  fulltext:"out of memory"        words in the summary or comments, by the
                                  tracker's index
  patch = no                      has no attachment that is a patch; also
                                  obsolete, private_comment

Combining:
  is:open crash                both; same as "and"
  crash or hang is:closed      crash, or hang and closed
  not is:closed                negation; also -is:closed and !is:closed
  is:open and (crash or hang)  brackets, since or binds weaker than and

States:
  is:open           open status; is:closed for closed ones
  is:confirmed      was ever confirmed; is:unconfirmed never was
  is:mine           assigned to you; is:reported by you
  is:self-assigned  assigned to the reporter
  is:unassigned     assigned to nobody@..., or to the logins of the setting
                    nobody; is:assigned to anybody else
  is:overdue        open, with a deadline before today
  is:stale          open, and not changed for 90 days
  is:unread         changed since you last visited it
  is:private        restricted to groups
  is:dup            closed as a duplicate

Dates, in your time zone:
  created:2026-10              in that month; also a year or a day; --created
                               2026-10 is that month or later
  created:2026-10..2026-11-05  from the start of the first to the end of the
                               second
  updated:-2w                  in the last two weeks; units: min h d w mo y
  created:today                also yesterday, this-week, last-month, next-year
  created > "7 days ago"       also in 2 weeks, last monday
  deadline <= friday           until the coming Friday; created and other times
                               in the past take the last Friday
  deadline < 2026-12-01        before that day
  created > 2026-10-03T14:00Z  after that time

Changes; all parts must match the same change:
  status changed                    at any time
  status changed from UNCONFIRMED to CONFIRMED by mei@example.org
                                    from, to and by, in any combination
  priority changed to High since -3mo
                                    since and before take a time
  keywords changed to crash         crash was added to the list; from: removed
                                    from it
  flag changed to review+           for anybody; for one user:
                                    "needinfo?(mei@example.org)"

Fields are named as in JSON (assigned_to), by short names (assignee, created,
os), and custom fields also by display names in quotes; see bt field list. Names
and values are validated before the search is sent, since trackers return every
bug for an unknown status. --explain shows the query and the request without
sending it.
`;
