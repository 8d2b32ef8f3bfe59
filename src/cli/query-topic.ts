/** `bt help query`: the language of search terms and of --where; each indented line is one that a test runs. */
export const QUERY_TOPIC = `The language of search terms and of --where:

  bt bug search is:open component:Editor crash        terms: each must hold
  bt bug search --where 'priority >= High or has:flag'   one expression; put it in single quotes

Both are the same language, and flags such as --status are joined to them with "and". Several words in one argument are
one phrase of the summary ('red eye'), unless there is a condition, a joining word (and, or, not), a bracket or a quote
among them. Plain words that look like conditions get a note with the probable expression.

Conditions
  status:RESOLVED                   the field's natural match: text contains it, all else equals it
  status:UNCONFIRMED,CONFIRMED      any of these
  status = RESOLVED                 equals; != does not
  component in (Editor, Library)    any of these; not in (...)
  summary ~ "red eye"               contains, as one piece of text; !~ does not
  summary =~ /crash|hang/           a regular expression; !=~ does not match
  summary ^= Import                 begins with; $= ends with
  summary has all (crash, start)    words in any order; also has any (...), has none (...)
  priority >= High                  High and what ranks above it; also > < <=
  id between 10 and 20              both ends count; also id:10..20
  deadline is empty                 also is not empty, has:deadline, no:deadline
  assignee = @me                    @me, @reporter, @assignee, @qa, @group.NAME, or a login
  flag(needinfo? requestee @me)     a flag and whom it asks
  comment ~ "out of memory"         text in any comment
  crash                             a word alone: the summary contains it

Joining
  is:open crash                     both; "and" may be written
  crash or hang                     either
  not is:closed                     the opposite; also -is:closed and !is:closed
  is:open and (crash or hang)       brackets

States
  is:open is:closed is:confirmed is:unconfirmed is:mine is:reported is:assigned is:unassigned is:self-assigned
  is:overdue is:stale is:unread is:private is:dup
                                    nobody is a login that begins with nobody@, or: bt config set nobody LOGIN

Dates, in your time zone
  created:2026-10                   in that month; a year, month or day is a period
  created:2026-10..2026-11-05       from the start of one to the end of the other
  updated >= -2w                    min h d w mo y before now; 36h is the same as -36h
  created:today                     also yesterday, this-week, last-month, next-year
  deadline < 2026-12-01             before that day
  created > 2026-10-03T14:00Z       a moment

Changes, all parts of one and the same change
  status changed                    at any time
  status changed from UNCONFIRMED to CONFIRMED by mei@example.org
  priority changed to High since -3mo

Fields go by the names that JSON has (assigned_to), by short ones (assignee, created, os) and by the custom fields'
display names in quotes. bt field list shows them. Names and values are checked before anything is sent: a tracker
answers a status that it does not know with every bug. --explain shows what would be sent, and why.
`;
