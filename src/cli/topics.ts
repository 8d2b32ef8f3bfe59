import { SHARED_FLAGS } from "../commands/line.ts";
import type { HELP_TOPICS } from "../commands/verb.ts";
import { REPLY, SETTING_VARIABLES, SETTINGS } from "../config/settings.ts";
import { EXIT_CODES } from "../errors.ts";
import { type Block, flagBlocks, type HelpRow, rowsBlock, textBlocks, titleBlock } from "./help.ts";

/** The pages of `bt help <topic>`, loaded on use. */
export const TOPICS: Readonly<Record<string, () => Promise<readonly Block[]>>> = {
  assistants: async () => pageOf((await import("../commands/mcp/assistants-page.ts")).ASSISTANTS_PAGE),
  delivery: async () => pageOf((await import("./pages.ts")).DELIVERY_PAGE),
  "exit-codes": exitCodesPage,
  environment: environmentPage,
  flags: flagsPage,
  formats: async () => pageOf((await import("./pages.ts")).FORMATS_PAGE),
  offline: async () => pageOf((await import("./pages.ts")).OFFLINE_PAGE),
  query: async () => pageOf((await import("./pages.ts")).QUERY_PAGE),
} satisfies Readonly<Record<keyof typeof HELP_TOPICS, unknown>>;

/** The blocks of a text whose first line is the title. */
function pageOf(page: string): Block[] {
  const end = page.indexOf("\n");
  return [titleBlock(page.slice(0, end)), () => [page.slice(end).replace(/^\n+|\n+$/g, "")]];
}

export const EXIT_CODE_ROWS: readonly HelpRow[] = [
  ...Object.entries(EXIT_CODES).map(([kind, { code, about }]): HelpRow => [`${String(code).padEnd(4)} ${kind}`, about]),
  ["130  signal", "interrupted (SIGINT); 143 after SIGTERM, 129 after SIGHUP"],
];

async function exitCodesPage(): Promise<Block[]> {
  return [
    titleBlock("Exit codes"),
    rowsBlock(EXIT_CODE_ROWS),
    ...textBlocks("The second column is error.kind of errors that are printed as JSON."),
  ];
}

export const VARIABLES: readonly HelpRow[] = [
  ["BT_BASE_URL", "tracker, as --base-url"],
  ["BT_API_KEY", "API key for the tracker of BT_BASE_URL or BT_PROFILE, else the default one; for any other, exit 13"],
  ["BT_PROFILE", "profile, as --profile"],
  ...Object.entries(SETTING_VARIABLES).map(([variable, name]): HelpRow => [variable, SETTINGS[name].about]),
  ["BT_OFFLINE", "any value but 0: read from the mirror of the tracker, as --offline"],
  ["BT_PAGER, PAGER", "pager for long output; empty or cat for none"],
  ["BT_EDITOR, VISUAL, EDITOR", "editor for descriptions and comments"],
  ["BT_BROWSER, BROWSER", "browser for --web"],
  ["BT_PROMPTS", "off: no prompts, even on a terminal; on: overrides the setting prompts"],
  ["BT_DEBUG", "any value: same as -vv"],
  ["NO_COLOR", "any value: no colour"],
  ["FORCE_COLOR", "any value but 0: use colour also in tables and cards in a pipe, unless NO_COLOR is set"],
  ["TERM", "dumb: no colour, no pager, ASCII symbols, and prompts without redrawing, with numbered lists"],
  ["LC_ALL, LC_CTYPE, LANG", "locale; without UTF-8: ASCII symbols"],
  ["COLUMNS", "width of the terminal, or of tables in a pipe, from 20 to 1000"],
  ["TZ", "time zone of printed and typed times"],
  ["HTTPS_PROXY, HTTP_PROXY, NO_PROXY", "proxy for trackers on other machines"],
  [
    "XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_DATA_HOME, XDG_STATE_HOME",
    "location of settings, cached metadata and recently shown bugs, the local tracker and journals; by default below ~/.config, ~/.cache, ~/.local",
  ],
  ["BT_NO_CODE_CACHE", "any value: disable the compiled-code cache"],
];

async function environmentPage(): Promise<Block[]> {
  const settings = Object.entries({ ...SETTINGS, "reply.NAME": REPLY });
  return [
    titleBlock("Environment variables and settings"),
    ...textBlocks("Flags override variables, variables override settings."),
    rowsBlock(VARIABLES),
    rowsBlock(
      settings.map(([name, { about }]) => [name, about]),
      "Settings, for bt config set",
    ),
  ];
}

async function flagsPage(): Promise<Block[]> {
  return [
    titleBlock("Flags that all commands share"),
    ...textBlocks("Commands that use a tracker have the tracker flags, commands that print data the output flags."),
    ...flagBlocks(SHARED_FLAGS),
  ];
}
