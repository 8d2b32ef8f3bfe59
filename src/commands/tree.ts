import type { CommandFlag } from "../command-flag.ts";
import { ADMIN } from "./admin/rows.ts";
import { ALIAS } from "./alias/rows.ts";
import { ATTACHMENT } from "./attachment/rows.ts";
import { AUTH } from "./auth/rows.ts";
import { BUG } from "./bug/rows.ts";
import { COMMENT } from "./comment/rows.ts";
import { CONFIG } from "./config/rows.ts";
import { FIELD } from "./field/rows.ts";
import { GROUP } from "./group/rows.ts";
import { JOB } from "./job/rows.ts";
import { MIRROR } from "./mirror/rows.ts";
import { PRODUCT } from "./product/rows.ts";
import { SERVE } from "./serve/rows.ts";
import { JQ_FLAG } from "./shared/flags.ts";
import { TAG } from "./tag/rows.ts";
import { TODO } from "./todo/rows.ts";
import { USER } from "./user/rows.ts";
import type { CommandTree, HelpSection, Noun, Verb, VerbRow } from "./verb.ts";

const API_FLAGS = [
  { name: "field", short: "f", value: "<name=value>", many: true, about: "add a string parameter", group: "Request" },
  {
    name: "typed-field",
    short: "F",
    value: "<name=value>",
    many: true,
    about: "add a parameter parsed as JSON",
    group: "Request",
  },
  {
    name: "input",
    value: "<file>",
    about: 'request body from a file ("-" for stdin)',
    completes: "file",
    group: "Request",
  },
  { name: "paginate", about: "print every page of a search, one document after the other", group: "Result" },
  { ...JQ_FLAG, about: "filter the response with a jq expression", group: "Result" },
] as const satisfies readonly CommandFlag[];

/** `bt api`: raw requests, for everything without a verb. */
const API: VerbRow<typeof API_FLAGS> = {
  name: "api",
  about: "Send one request and print the response body.",
  args: [{ name: "method-or-path" }, { name: "path", optional: true }],
  details: `The default method is GET. -f adds a string parameter: to the query of a GET, to the JSON body of a POST or PUT. -F
does the same and parses true, false, null, numbers and JSON. A repeated name makes a list. Your API key is sent, as by
any other command.`,
  flags: () => API_FLAGS,
  examples: [
    { line: "bt api /rest/version", about: "the tracker's version" },
    { line: "bt api GET /rest/bug/12 -f include_fields=id,summary", about: "one bug, two fields" },
    { line: "bt api /rest/field/bug/bug_status", about: "a field and its values" },
    {
      line: "bt api /rest/bug --paginate -f product=Lantern -f limit=20 --jq '.bugs[].id'",
      about: "every page of a search",
    },
  ],
  run: async () => (await import("./api/api.ts")).runApi,
};

/** `bt completion`: prints a shell's completion script. */
const COMPLETION: VerbRow = {
  name: "completion",
  about: "Print a shell completion script (bash, zsh or fish).",
  args: [{ name: "shell" }],
  flags: () => [],
  offline: true,
  examples: [
    { line: "bt completion bash", about: 'in ~/.bashrc: eval "$(bt completion bash)"' },
    { line: "bt completion zsh", about: 'bt completion zsh > "$fpath[1]/_bt"' },
    { line: "bt completion fish", about: "bt completion fish > ~/.config/fish/completions/bt.fish" },
  ],
  run: async () => (await import("./completion/complete.ts")).printCompletionScript,
};

/** Hidden `bt complete`, called by the completion scripts; the command line follows `--`. */
const COMPLETE: VerbRow = {
  name: "complete",
  about: "List completions for a command line; called by the completion scripts.",
  args: [{ name: "word", many: true, optional: true }],
  flags: () => [],
  hidden: true,
  offline: "if need be",
  createsTracker: false,
  connects: async () => (await import("./completion/complete.ts")).readTrackerFlags,
  examples: [{ line: "bt complete -- bug se", about: "completions of bug se" }],
  run: async ({ tree }) => (await import("./completion/complete.ts")).wordCompletion(tree),
};

const MCP_FLAGS = [
  { name: "allow-writes", about: "offer the tools that create and change bugs", group: "Safety" },
  {
    name: "include-private",
    about: "include private comments, and bugs that are restricted to groups",
    group: "Safety",
  },
] as const satisfies readonly CommandFlag[];

/** `bt mcp`: the tools of a Model Context Protocol client. */
const MCP: VerbRow<typeof MCP_FLAGS> = {
  name: "mcp",
  about: "Serve tools for assistants over stdio (Model Context Protocol).",
  details: `Tools: search, get, values, similar and todo; with --allow-writes also create, update, comment and undo. See bt help
assistants.`,
  flags: () => MCP_FLAGS,
  examples: [{ line: "bt mcp --allow-writes -P work", about: "read and write the tracker of a profile" }],
  run: async (program) => (await import("./mcp/server.ts")).assistantServer(program),
};

/** The commands that help lists, by section. */
const SECTIONS: readonly HelpSection[] = [
  { heading: "Bugs", commands: [BUG, COMMENT, ATTACHMENT, TAG] },
  { heading: "The tracker", commands: [FIELD, GROUP, PRODUCT, USER] },
  { heading: "Work", commands: [TODO, JOB] },
  { heading: "Settings", commands: [AUTH, CONFIG, COMPLETION] },
  { heading: "More", commands: [SERVE, ADMIN, MIRROR, MCP, ALIAS, API] },
];

const LISTED = SECTIONS.flatMap(({ commands }) => commands);

/** All commands. */
export const TREE: CommandTree = {
  sections: SECTIONS,
  nouns: LISTED.filter((command): command is Noun => "verbs" in command),
  verbs: [...LISTED.filter((command): command is Verb => !("verbs" in command)), COMPLETE],
};
