import type { TopicPage } from "./topic-page.ts";

/** Page of `bt help delivery`. */
export const DELIVERY_PAGE: TopicPage = {
  title: "Delivery of writes, and what to do after a failure",
  parts: [
    {
      text: `Every write is recorded in a journal before it is sent. "bt job list" lists unfinished jobs, "bt job
show" the requests of one, "bt job list --last" the last 50 writes with operation, ids, time and result. Reads are
retried up to three times with increasing delays, within one timeout (settings retry, timeout).

A write is resent only if:`,
    },
    {
      points: [
        "no byte of it was sent, or the tracker returned 429 with Retry-After;",
        "a complete response reports that a deadlock rolled the transaction back: up to three times, also in bulk updates;",
        "the tracker supports idempotency keys, as bt serve does: it applies a key once.",
      ],
    },
    {
      text: `After any other incomplete response, such as a broken connection or a 502 of a proxy, bt checks for 30
seconds whether the write was applied: a bug with that summary by you, your comment, your entries in the history. After a
complete but invalid 2xx response, such as an internal error, an empty body or a login page, it checks once. The exit
code is 0 if the write is found, else 9: its outcome is unknown, since it may still be applied.

"bt job send" checks again and reports what it finds. A write that is not found is resent only with --resend, or if you
confirm it on a terminal. "bt job edit" edits a text that was never sent, or turns a refused bug or comment into a
draft; "bt job drop" removes a job; one with unknown outcome requires --force.

A job belongs to the user who started it, identified by the login or by a salted hash of the API key (scrypt; never
the key). "bt job send" rejects other users, unless with --as-me. A damaged journal is an error that lists the bugs it
may concern; nothing is sent.

Bulk updates read bug numbers from arguments or stdin. All bugs are validated before the first write, the changes are
printed, and more than 20 bugs require confirmation or --yes. The output has one line per bug: done, unchanged,
failed, unknown, not tried. After Ctrl-C, a crash or a server failure "bt job send" continues, and updates no bug
twice.

"bt bug undo" undoes your last change of a bug, with --job an update by its job. Previous values come from this
machine's journal, which keeps them for a month. An undo is a regular update with --if-unchanged. Values that were
changed since are kept and listed, as are parts that cannot be undone (exit code 10). Comments stay.

With --if-unchanged a bug that was modified since it was read is not updated (exit code 11); without it, overwritten
values are reported on stderr with both versions. If the reader of stdout is gone, as in "bt bug create ... | true", the
id, or the number of updated bugs, is printed on stderr, and the exit code is 12.`,
    },
  ],
};
