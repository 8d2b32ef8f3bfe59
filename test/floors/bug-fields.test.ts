import { expect, test } from "vitest";
import { SOURCES } from "./sources.ts";

/** Files of every field: its row on both sides, a column in the tracker's data, and parameters. */
const ROWS = [
  "wire/bug-fields.ts",
  "tracker/fields.ts",
  "tracker/store/schema.ts",
  "api/operations/bugs.ts",
  "api/operations/write-bugs.ts",
];

const WEB_PARAMETER = "a parameter of the web interface";
const HELP = "help and examples";
const HABIT = "a flag of other tools, and its name here";
const LAYOUT = "columns or lines that are chosen one by one";

/** Fields, and the other files that name them, with the reason why these cannot read the rows. */
const NAMED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  whiteboard: {
    "api/query/quicksearch.ts": HELP,
    "cli/foreign-words.ts": HABIT,
    "commands/bug/rows.ts": HELP,
    "commands/bug/triage/keys.ts": "a key",
    "commands/bug/triage/steps.ts": "its prompt",
    "commands/shared/changes/write-flags.ts": HELP,
    "commands/shared/criteria/flags.ts": "the order of criteria in help",
    "tracker/http/server-parameters.ts": "Bugzilla's switch of the field",
    "tracker/search/quicksearch.ts": "the sign [ of quicksearches",
  },
  op_sys: {
    "commands/bug/write/new-bug.ts": HELP,
    "config/settings.ts": "a setting of that name",
    "tracker/setup/defaults.ts": "values of a new tracker",
    "view/bug-card.ts": LAYOUT,
  },
  deadline: {
    "api/nearest.ts": HABIT,
    "api/query/parse.ts": HELP,
    "api/query/resolve.ts": "is:overdue",
    "api/search/web-search.ts": WEB_PARAMETER,
    "cli/foreign-words.ts": HABIT,
    "cli/query-page.ts": HELP,
    "commands/bug/follow/rows.ts": HELP,
    "commands/bug/rows.ts": HELP,
    "commands/columns.ts": LAYOUT,
    "commands/todo/todo.ts": "bt todo: overdue bugs",
    "tracker/search/parameters.ts": WEB_PARAMETER,
    "view/bug-card.ts": LAYOUT,
    "view/todo.ts": LAYOUT,
    "view/tree.ts": LAYOUT,
  },
  qa_contact: {
    "api/query/parse.ts": HELP,
    "tracker/bugs/rights.ts": "a right to change the bug",
    "tracker/users/visibility.ts": "a right to see the bug",
    "view/bug-card.ts": LAYOUT,
    "wire/search-names.ts": "%qacontact%",
  },
};

test.each(Object.entries(NAMED))("%s is named by its rows, and where there is a reason", (field, reasons) => {
  const others = filesNaming(field).filter((file) => !ROWS.includes(file));
  expect(others).toEqual(Object.keys(reasons));
});

/** The files with the name of a field, but for the events of the demo. */
function filesNaming(field: string): readonly string[] {
  const named = [...SOURCES].filter(([file, text]) => !file.startsWith("tracker/demo/") && text.includes(field));
  return named.map(([file]) => file);
}
