import type { HELP_TOPICS } from "../commands/help-topics.ts";
import { OUTPUT_FLAGS } from "../commands/shared/flags.ts";
import type { CommandTree, Verb } from "../commands/verb.ts";
import { EXIT_CODES, type ExitCodeOf } from "../errors.ts";
import { CONNECTION_SETTINGS } from "../session/connection-settings.ts";
import { COMMON_FLAGS, TRACKER_FLAGS } from "../session/flags.ts";
import { flagDescription, flagSyntax } from "./flags.ts";
import type { HelpRow } from "./help-layout.ts";
import type { TopicPage } from "./topic-page.ts";

/** A page of `bt help <topic>`, of all commands where it is about them; a text is Markdown. */
export type Topic = (tree: CommandTree) => TopicPage | string | Promise<TopicPage | string>;

/** The pages of `bt help <topic>`. */
export const TOPICS: Readonly<Record<string, Topic>> = {
  assistants: async () => (await import("./assistants-page.ts")).ASSISTANTS_PAGE,
  delivery: async () => (await import("./delivery-page.ts")).DELIVERY_PAGE,
  "exit-codes": exitCodesPage,
  environment: environmentPage,
  flags: flagsPage,
  formats: formatsPage,
  json: async () => (await import("./json-page.ts")).jsonPage(),
  offline: async () => (await import("./offline-page.ts")).OFFLINE_PAGE,
  query: async () => (await import("./query-page.ts")).QUERY_PAGE,
  reference: async (tree) => (await import("./reference-page.ts")).referencePage(tree),
} satisfies Readonly<Record<keyof typeof HELP_TOPICS, Topic>>;

function exitCodesPage(): TopicPage {
  const kinds = Object.entries(EXIT_CODES).map(
    ([kind, { code, about }]): HelpRow => [`${String(code).padStart(3)}  ${kind}`, about],
  );
  return {
    title: "Exit codes",
    parts: [
      { rows: [...kinds, ["130  signal", "interrupted (SIGINT); 143 after SIGTERM, 129 after SIGHUP"]] },
      {
        text: "The second column is error.kind of errors that are printed as JSON. The manual page of a command lists its codes: man bt-bug.",
      },
    ],
  };
}

/** Exit codes that a command can have. */
export function possibleExitCodes({ offline, flags, args = [], exits = [] }: Verb): number[] {
  const has = (...names: string[]) => flags.some((flag) => names.includes(flag.name));
  const connects = offline !== true;
  const writes = has("dry-run", "resend");
  const may: Readonly<Record<ExitCodeOf, boolean>> = {
    always: true,
    connected: connects,
    writing: writes,
    several: writes || args.some(({ many }) => many),
    conditional: has("if-unchanged"),
    negative: has("editor", "from-text"),
  };
  const kinds = Object.entries(EXIT_CODES).filter(([kind, { of }]) => may[of] || exits.some((one) => one === kind));
  return kinds.map(([, { code }]) => code);
}

/** Environment variables and their effects. */
export const VARIABLES: readonly HelpRow[] = [
  ["BT_BASE_URL", "tracker, as --base-url"],
  ["BT_API_KEY", "API key for the tracker of BT_BASE_URL or BT_PROFILE, else the default one; for any other, exit 13"],
  ["BT_AUTH_STYLE", "how an API key is sent: auto (found once a day), header, bearer, query or token"],
  ["BT_PROFILE", "profile, as --profile"],
  ...CONNECTION_SETTINGS.map(({ variable, about }): HelpRow => [variable, about]),
  ["BT_OFFLINE", "any value but 0: read from the mirror of the tracker, as --offline"],
  ["BT_PAGER, PAGER", "pager for long output; empty or cat for none"],
  ["BT_EDITOR, VISUAL, EDITOR", "editor for descriptions and comments"],
  ["BT_BROWSER, BROWSER", "browser for --web"],
  ["BT_PROMPTS", "off: no prompts, even on a terminal; on: overrides the setting prompts"],
  ["BT_REPO_FILE", "off: ignore the file .bt.yaml of a repository; on: overrides the setting repo_file"],
  ["ACCESSIBLE", "any value but 0: prompts without redrawing, with numbered lists"],
  ["BT_DEBUG", "any value: same as --debug"],
  ["NO_COLOR", "any value: no colour"],
  ["CLICOLOR", "0: no colour"],
  [
    "FORCE_COLOR, CLICOLOR_FORCE",
    "any value but 0: use colour also in tables and cards in a pipe, unless NO_COLOR is set",
  ],
  ["TERM", "dumb: no colour, no pager, no redrawing, and ASCII symbols"],
  ["LC_ALL, LC_CTYPE, LC_TIME, LANG", "locale for symbols and dates; without UTF-8: ASCII symbols and no redrawing"],
  ["BT_FORCE_TTY", "width in columns, or true: print as on a terminal, even in a pipe"],
  ["COLUMNS", "width of the terminal, or of tables in a pipe, from 20 to 1000"],
  ["TZ", "time zone of printed and typed times"],
  ["HTTPS_PROXY, HTTP_PROXY, NO_PROXY", "proxy for trackers on other machines"],
  [
    "XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_DATA_HOME, XDG_STATE_HOME",
    "location of settings, cached metadata and recently shown bugs, the local tracker and journals; by default below ~/.config, ~/.cache, ~/.local, on macOS ~/Library, on Windows %APPDATA% and %LOCALAPPDATA%",
  ],
  ["BT_NO_CODE_CACHE", "any value: disable the compiled-code cache"],
];

function environmentPage(): TopicPage {
  return {
    title: "Environment variables",
    parts: [{ text: "Flags override variables, variables override settings." }, { rows: VARIABLES, isBelow: true }],
  };
}

function flagsPage(): TopicPage {
  const shared = [...TRACKER_FLAGS, ...OUTPUT_FLAGS, ...COMMON_FLAGS];
  const groups = [...new Set(shared.map(({ group }) => group))];
  const parts = groups.map((heading) => {
    const rows = shared.filter(({ group }) => group === heading);
    return { heading, rows: rows.map((flag): HelpRow => [flagSyntax(flag), flagDescription(flag)]) };
  });
  return {
    title: "Flags that all commands share",
    parts: [
      { text: "Flags of a tracker and of the output are those of commands that use a tracker, or print data." },
      ...parts,
    ],
  };
}

/** A command line that sums up hours. */
const HOURS_BY_PERSON = `bt bug search 'actual_time > 0' --format ids | bt bug history - --field work_time --jq '.[].history[] | "\\(.who) \\(.changes[].added)"' | awk '{ h[$1] += $2 } END { for (w in h) print w, h[w] }'`;

function formatsPage(): TopicPage {
  return {
    title: "Output formats",
    parts: [
      {
        rows: [
          [
            "On a terminal",
            "a table or card fitted to the width, in colour, with local times, paged if it does not fit",
          ],
          [
            "In a pipe",
            "one tab-separated line per item, its columns as in the header of csv, never truncated, times in ISO 8601 UTC; tabs, line breaks and backslashes inside a field are escaped as \\t, \\n and \\\\; a change has a line for each object: id, result, changes, last_change_time, error",
          ],
        ],
      },
      {
        rows: [
          ["--format table", "the terminal format, also in a pipe"],
          ["--format tsv", "the pipe format, also on a terminal"],
          [
            "--format csv",
            "comma-separated values (RFC 4180), with a header line of the names that --fields takes; cells that begin with = + - @ are prefixed with an apostrophe, so that spreadsheets do not run them as formulas, unless --raw is given",
          ],
          ["--format json", "an array with the tracker's own names and values (same as --json): summary, not title"],
          ["--format ndjson", "the same, one object per line"],
          ["--format markdown", "a Markdown table"],
          ["--format ids", "numbers only, one per line; of a change, those of changed objects"],
        ],
      },
      {
        rows: [
          ["--jq EXPRESSION", "the JSON, filtered by jq; strings are printed raw; with --format ndjson line by line"],
          ["--print TEMPLATE", "a line for each item: '%{id} %{summary}'; '%{id}\\0' for xargs -0"],
          [
            "--fields id,summary",
            "columns or keys; only those are fetched; _default, _custom, _extra and _all are groups of fields",
          ],
        ],
      },
      {
        text: "ndjson, tsv, csv and ids are printed as the pages arrive. In TSV, no resolution is ---, also in chosen columns.",
      },
      {
        examples: [
          {
            line: "bt bug search is:open --fields id,alias,summary | tr '\\t' '\\037' | while IFS=$'\\037' read -r id alias rest; do echo \"$id: $rest\"; done",
            about: "columns in a shell; without tr, read skips those that are empty",
          },
          { line: "bt todo | awk -F '\\t' '{ print $2 }'", about: "awk and cut -f keep empty columns" },
          { line: HOURS_BY_PERSON, about: "hours worked, by person" },
        ],
      },
    ],
  };
}
