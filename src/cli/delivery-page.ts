import type { TopicPage } from "./topic-page.ts";

/** Page of `bt help delivery`. */
export const DELIVERY_PAGE: TopicPage = {
  title: "Delivery of writes, and what to do after a failure",
  parts: [
    {
      text: `Every write is recorded in a journal before it is sent. "bt job list" lists unfinished jobs, "bt job
show" the requests of one, "bt job list --last" the last 50 writes with operation, ids, time and result. Reads are
retried up to three times with increasing delays, within one timeout (--retry, --timeout).

Without --resend-if-absent a write is resent only if:`,
    },
    {
      points: [
        "no byte of it was sent, or the tracker returned 429 with Retry-After;",
        "the tracker supports idempotency keys, as bt serve does: it applies a key once;",
        "a complete response reports that a deadlock rolled the transaction back: up to three times, also in bulk updates.",
      ],
    },
    {
      text: `After any other incomplete response, such as a broken connection or a 502 of a proxy, bt checks for 30
seconds whether the write was applied: a bug with that summary by you, your comment, your entries in the history.
After a complete but invalid 2xx response, such as an internal error, an empty body or a login page, it checks once
and never resends, whatever the flags. The exit code is 0 if the write is verified as applied, 11 if another user's
change is found instead, else 9.

"bt job send" checks again and resends only writes verified as not applied. "bt job edit" edits a text that was never
sent, or turns a refused bug or comment into a draft; "bt job drop" removes a job; one with unknown
outcome requires --force.

Writes are verified by the tracker's own time, recorded in the journal when the request was sent, so a wrong or reset
clock on either side causes no duplicates. If that time is unknown, differs from the tracker's Date by more than a
minute, or either clock was set since then, nothing is sent and the exit code is 9. A request may still be in
progress: a write that was not applied is resent no earlier than 120 seconds after the last request, and "bt job send"
prints the remaining time (--wait SECONDS). With idempotency keys it is resent at once.

A job belongs to the user who started it, identified by the login or by a salted hash of the API key (scrypt; never
the key). "bt job send" rejects other users; --as-me verifies the write, and resends as you only what was not applied.
A damaged journal is an error that lists the bugs it may concern; nothing is sent.

Bulk updates read bug numbers from arguments or stdin. All bugs are validated before the first write, the changes are
printed, and more than 20 bugs require confirmation or --yes. The output has one line per bug: done, unchanged,
failed, unknown, not tried. After Ctrl-C, a crash or a server failure "bt job send" continues, and updates no bug
twice.

"bt bug undo" undoes your last change of a bug, "bt job undo" an update by its job. Previous values come from the
journal, which keeps them for a month, or from the bug's history where it is exact. Both are regular updates with
--if-unchanged. Values that another user changed since are kept and listed, as are parts that cannot be undone (exit
code 10).

With --if-unchanged a bug that was modified since it was read is not updated (exit code 11); without it, overwritten
values are reported on stderr with both versions. If stdout is closed, as in "bt bug create ... | true", the id is
printed on stderr.`,
    },
  ],
};
