/** Page of `bt help query`; a test runs each term of its lists. */
export const QUERY_PAGE = String.raw`# Query language of search terms and --where

bt bug search is:open component:Editor crash
: terms; a bug must meet all of them
bt bug search --where 'priority >= High or has:flag'
: one expression, in single quotes

Terms, expressions and flags such as --status are combined with "and". Several words in one argument are one phrase of
the summary ('red eye'), unless they contain a condition, an operator (and, or, not), a bracket or a quote.

## Conditions

crash
: a single word: the summary contains it; numbers alone are bugs
status:RESOLVED
: a text field contains the value; any other field equals it
status:UNCONFIRMED,CONFIRMED
: any of these
status = RESOLVED
: equals; != is "does not equal"
component in (Editor, Library)
: any of these; not in (...)
summary ~ "red eye"
: contains this text, in capital or small letters; !~ does not
summary =~ /crash|hang/
: a regular expression, in any letter case; !=~: no match
summary =~ "\bcrash\b"
: in quotes a backslash is itself, except in \" and \\
summary ^= Import
: begins with; $= ends with
priority >= High
: High and above; also > < <=
comments > 1
: more comments than the description, which counts
id:10..20
: inclusive; id:10..<20 without 20, id:10.. from 10 on
deadline is empty
: also is not empty, has:deadline, no:deadline; a number is empty if it is 0
assignee = @me
: a login, @me, @reporter, @assignee, @qa or @group.NAME
flag(needinfo? requestee @me)
: a flag and its requestee or setter, of the bug or an attachment
comment ~ "out of memory"
: text in any comment
fulltext:"out of memory"
: words in the summary or comments, by the tracker's index
patch = no
: has no attachment that is a patch; also obsolete, private_comment

## Combining

is:open crash
: both; same as "and"
crash or hang is:closed
: crash, or hang and closed
not is:closed
: negation; also -is:closed and !is:closed
is:open and (crash or hang)
: brackets, since or binds weaker than and

## States

is:open
: open status; is:closed for closed ones
is:confirmed
: was ever confirmed; is:unconfirmed never was
is:mine
: assigned to you; is:reported by you
is:self-assigned
: assigned to the reporter
is:unassigned
: assigned to nobody@..., or to the logins of the setting nobody; is:assigned to anybody else
is:overdue
: open, with a deadline before today
is:stale
: open, and not changed for 90 days
is:unread
: changed since you last visited it
is:private
: restricted to groups
is:dup
: closed as a duplicate

## Dates, in your time zone

created:2026-10
: in that month; also a year or a day; --created 2026-10 is that month or later
created:2026-10..2026-11-05
: from the start of the first to the end of the second
updated:-2w
: since then: min h d w mo y before now
created:today
: also yesterday, this-week, last-month, next-year
created > "7 days ago"
: also in 2 weeks, last monday
deadline <= friday
: the coming Friday; for times in the past, the last one
deadline < 2026-12-01
: before that day
created > 2026-10-03T14:00Z
: after that time

## Changes; all parts must match the same change

status changed
: at any time
status changed from UNCONFIRMED to CONFIRMED by mei@example.org
: from, to and by, in any combination
priority changed to High since -3mo
: since and before take a time
keywords changed to crash
: crash was added to the list; from: removed from it
flag changed to review+
: for anybody; for one user: "needinfo?(mei@example.org)"

Fields are named as in JSON (assigned_to), by short names (assignee, created, os), and custom fields also by display
names in quotes; see bt field list. Names and values are validated before the search is sent, since trackers return
every bug for an unknown status. --explain shows the query and the request without sending it.
`;
