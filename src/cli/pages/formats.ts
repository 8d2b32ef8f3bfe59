/** Page of `bt help formats`. */
export const FORMATS_PAGE = String.raw`# Output formats

On a terminal
: a table or card fitted to the width, in colour, with local times, paged if it does not fit
In a pipe
: one tab-separated line per item, its columns as in the header of csv, never truncated, times in ISO 8601 UTC;
  tabs, line breaks and backslashes inside a field are escaped as \t, \n and \\; a change has a line for each
  object: id, result, changes, last_change_time, error

--format table
: the terminal format, also in a pipe
--format tsv
: the pipe format, also on a terminal
--format csv
: comma-separated values (RFC 4180), with a header line of the names that --fields takes; cells that begin with = +
  - @ are prefixed with an apostrophe, so that spreadsheets do not run them as formulas, unless --raw is given
--format json
: an array with the tracker's own names and values (same as --json): summary, not title
--format ndjson
: the same, one object per line
--format ids
: ids only, one per line; of a change, the ids of changed objects

--jq EXPRESSION
: the JSON, filtered by jq; strings are printed raw; with --format ndjson line by line
--fields id,summary
: columns or keys; only those are fetched; _default, _custom, _extra and _all are groups of fields

ndjson, tsv, csv and ids are printed as the pages arrive. In TSV, no resolution is ---, also in chosen columns.

    # columns in a shell; without tr, read skips those that are empty
    $ bt bug search is:open --fields id,alias,summary | tr '\t' '\037' | while IFS=$'\037' read -r id alias rest; do echo "$id: $rest"; done
    # awk and cut -f keep empty columns
    $ bt todo | awk -F '\t' '{ print $2 }'
    # hours worked, by person
    $ bt bug search 'actual_time > 0' --format ids | bt bug history - --field work_time --jq '.[].history[] | "\(.who) \(.changes[].added)"' | awk '{ h[$1] += $2 } END { for (w in h) print w, h[w] }'
`;
