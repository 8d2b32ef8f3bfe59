/** Page of `bt help delivery`. */
export const DELIVERY_PAGE = `# Delivery of writes, and what to do after a failure

Every command that writes is recorded in a journal before the first request is sent. If the response to a write is lost,
or is an internal error of the tracker, bt looks for the write for up to 30 seconds. The exit code is 0 if the write was
found, else 9: the outcome is unknown. Do not repeat the command; continue with its job:

bt job list
: unfinished jobs; with --last the last 50 commands that wrote, with results
bt job show JOB
: its requests and results
bt job send JOB
: look again, show what is left, and send it after confirmation, or with --yes
bt job drop JOB
: remove it

A write is found if exactly one object equals what was sent, is yours, and is as old as the request; an update also by
its values. A write is sent again without "bt job send" only if no byte of it was sent, or if the tracker returned 429
with Retry-After. A write that is not found may still wait for a lock: "bt job send" waits until a minute has passed. Reads are
retried up to three times within one timeout (settings retry, timeout).

All bugs of an update are checked before the first write. If some cannot be updated, or there are more than 20, the
others are previewed, and updated after confirmation or with --yes; a dry run names both. The output has one line per
bug: applied, unchanged, refused, unknown, not tried. After Ctrl-C, a crash or a server failure "bt job send" continues, and
updates no bug twice; a value that somebody else has changed since is a collision, and stays. It does not send a refused
update again: run the command again once the tracker accepts it.

With --if-unchanged a bug that is modified after this command read it is not updated (exit code 11), with
--unchanged-since a bug that was modified after a time, such as when you looked at it. Without them, a warning has both
values where the update overwrote a newer change.

"bt bug undo" restores the values that your last change replaced, or a job with --job; the journal keeps them for a
month. Values that were changed since are kept and listed, as are parts that cannot be undone (exit code 10).

A job belongs to the user who started it. If the journal is damaged, nothing is sent.

If stdout is closed early, as in "bt bug create ... | true", the id or the number of updated bugs is printed on
stderr, and the exit code is 12.
`;
