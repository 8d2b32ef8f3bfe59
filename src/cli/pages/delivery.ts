/** Page of `bt help delivery`. */
export const DELIVERY_PAGE = `# Delivery of writes, and what to do after a failure

Every write is recorded in a journal before it is sent. If the response is lost, bt checks on the tracker whether the
write was applied. The exit code is 0 if it was, else 9: the outcome is unknown; 8 if a tracker that failed ended a bulk
update. Do not repeat the command; continue with its job:

bt job list
: unfinished jobs; with --last the last 50 commands that wrote, with results
bt job show JOB
: its requests and results
bt job send JOB
: check again, then continue
bt job send JOB --resend
: resend what is not found, or was refused; on a terminal bt prompts instead
bt job edit JOB
: edit a text that was never sent, or make a draft of a refused bug or comment
bt job drop JOB
: remove it; with unknown outcome only with --force

A write is resent without --resend only if:

- no byte of it was sent, or the tracker returned 429 with Retry-After;
- the tracker supports idempotency keys, as bt serve does: it applies a key once.

After any other incomplete response, such as a broken connection or a 502 of a proxy, bt looks for the write for up
to 30 seconds: a bug with that summary by you, your comment, your entries in the history. After a complete but invalid
response, such as an internal error, an empty body or a login page, it looks once. What it does not find may still be
applied later. Reads are retried up to three times within one timeout (settings retry, timeout).

All bugs of an update are checked before the first write. If some cannot be updated, or there are more than 20, the
others are previewed, and updated after confirmation or with --yes; a dry run names both. The output has one line per
bug: done, unchanged, failed, unknown, not tried. After Ctrl-C, a crash, a server failure or a refusal "bt job send"
continues, and updates no bug twice. On a terminal it shows what is left, and asks; a value that somebody else has
changed since is a collision, and stays.

With --if-unchanged a bug that is modified after this command read it is not updated (exit code 11), with
--unchanged-since one that was modified after a time, such as when you looked at it. Without them, values of
others that were overwritten are printed on stderr, with both versions.

"bt bug undo" restores what your last change replaced, with --job what a job replaced; the journal keeps that for a
month. Values that were changed since are kept and listed, as are parts that cannot be undone (exit code 10).

A job belongs to the user who started it, known by the login or a salted hash of the API key (scrypt; never the key);
others need --as-me. If the journal is damaged, the error lists the bugs it may concern, and nothing is sent.

If stdout is closed early, as in "bt bug create ... | true", the id or the number of updated bugs is printed on
stderr, and the exit code is 12.
`;
