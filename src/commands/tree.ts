import { HELP_TOPICS } from "./help-topics.ts";
import type { CommandTree, HelpSection, Noun, Verb } from "./verb.ts";

/** The ways to the rows of nouns, which are loaded for the nouns that a line names. */
const NOUNS: Readonly<Record<string, () => Promise<Noun>>> = {
  bug: async () => (await import("./bug/rows.ts")).BUG,
  comment: async () => (await import("./comment/rows.ts")).COMMENT,
  attachment: async () => (await import("./attachment/rows.ts")).ATTACHMENT,
  tag: async () => (await import("./tag/rows.ts")).TAG,
  field: async () => (await import("./field/rows.ts")).FIELD,
  group: async () => (await import("./group/rows.ts")).GROUP,
  product: async () => (await import("./product/rows.ts")).PRODUCT,
  user: async () => (await import("./user/rows.ts")).USER,
  report: async () => (await import("./report/rows.ts")).REPORT,
  job: async () => (await import("./job/rows.ts")).JOB,
  mirror: async () => (await import("./mirror/rows.ts")).MIRROR,
  migrate: async () => (await import("./migrate/rows.ts")).MIGRATE,
  auth: async () => (await import("./auth/rows.ts")).AUTH,
  config: async () => (await import("./config/rows.ts")).CONFIG,
  alias: async () => (await import("./alias/rows.ts")).ALIAS,
  admin: async () => (await import("./admin/rows.ts")).ADMIN,
};

/** The ways to the rows of verbs that stand alone. */
const VERBS: Readonly<Record<string, () => Promise<Verb>>> = {
  todo: async () => (await import("./todo/rows.ts")).TODO,
  api: async () => (await import("./api/rows.ts")).API,
  doctor: async () => (await import("./doctor/rows.ts")).DOCTOR,
  jobs: async () => (await import("./job/rows.ts")).JOBS,
  resume: async () => (await import("./job/rows.ts")).RESUME,
  serve: async () => (await import("./serve/rows.ts")).SERVE,
  completion: async () => (await import("./completion/rows.ts")).COMPLETION,
  complete: async () => (await import("./completion/rows.ts")).COMPLETE,
};

/** The lines of `bt --help`, for which no row is loaded: the names of verbs, or the beginning of the sentence about one. */
const SECTIONS: readonly HelpSection[] = [
  {
    heading: "Bugs",
    commands: {
      bug: [
        "search get history blame tree similar check wait watch export import create clone update close reopen confirm",
        "dup take needinfo answer edit triage undo",
      ].join(" "),
      comment: "list get add",
      attachment: "list get download add update",
      tag: "search update",
    },
  },
  {
    heading: "The tracker",
    commands: {
      field: "list get values",
      group: "list get create update",
      product: "list get",
      user: "search get",
    },
  },
  {
    heading: "Work",
    commands: {
      todo: "List what waits for you",
      report: "time flow",
      job: "list show send edit drop",
      mirror: "create list sync verify drop",
      migrate: "plan run",
    },
  },
  {
    heading: "Settings, more",
    commands: {
      auth: "login status logout",
      config: "get set list unset path",
      help: Object.keys(HELP_TOPICS).join(" "),
    },
    brief: ["alias", "serve", "admin", "api", "completion", "doctor"],
  },
];

/** The tree of the commands that words name by their first names, with the sections of all; without words, of all. */
export async function commandTree(words?: readonly string[]): Promise<CommandTree> {
  const [nouns, verbs] = await Promise.all([loaded(NOUNS, words), loaded(VERBS, words)]);
  return { nouns, verbs, sections: SECTIONS };
}

function loaded<Row>(ways: Readonly<Record<string, () => Promise<Row>>>, words?: readonly string[]): Promise<Row[]> {
  const named = Object.entries(ways).filter(([name]) => words === undefined || words.includes(name));
  return Promise.all(named.map(([, load]) => load()));
}
