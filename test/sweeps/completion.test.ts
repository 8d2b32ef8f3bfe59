import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TOPICS } from "../../src/cli/topics.ts";
import { SHELLS } from "../../src/commands/completion/complete.ts";
import { listedFlags } from "../../src/commands/shared/flags.ts";
import { TREE } from "../../src/commands/tree.ts";
import { HELP_TOPICS } from "../../src/commands/verb.ts";
import type { OpenedTracker } from "../../src/tracker/open.ts";
import { bt, btConnected } from "../bt.ts";
import { clockOf } from "../clock.ts";
import { faultyTracker } from "../faults/faulty-tracker.ts";
import { freshDemo } from "../fresh-demo.ts";
import { freshFolder } from "../fresh-folder.ts";
import { real, surroundings } from "../process/real.ts";
import { HAS_TERMINAL, onTerminal } from "../process/terminal.ts";
import { sampled } from "../sampling.ts";

let demo: OpenedTracker;
beforeAll(() => {
  demo = freshDemo({ now: clockOf(), random: (bytes) => new Uint8Array(bytes) });
  return () => demo.close();
});

async function offered(line: string): Promise<readonly string[]> {
  const { code, out } = await bt(`complete -- ${line}`, demo);
  expect(code).toBe(0);
  return out.split("\n").flatMap((row) => row.split("\t")[0] || []);
}

describe("completion offers", () => {
  test("every noun and every lone verb listed by help", async () => {
    const listed = [...TREE.nouns, ...TREE.verbs.filter((verb) => !verb.hidden)].map(({ name }) => name);
    expect(await offered("''")).toEqual([...listed, "help"]);
  });

  test.each(TREE.nouns)("every verb of $name", async ({ name, verbs }) => {
    expect(await offered(`${name} ''`)).toEqual(verbs.filter((verb) => !verb.hidden).map((verb) => verb.name));
  });

  const VERBS = [
    ...TREE.nouns.flatMap((noun) => noun.verbs.map((verb) => ({ words: `${noun.name} ${verb.name}`, verb }))),
    ...TREE.verbs.map((verb) => ({ words: verb.name, verb })),
  ];
  test.each(VERBS)("every flag of bt $words", async ({ words, verb }) => {
    const names = listedFlags(verb).map(({ name }) => `--${name}`);
    expect(await offered(`${words} --`)).toEqual([...names, "--help"]);
  });

  test.each([
    ["bug search --status con", ["CONFIRMED"]],
    ["bug search --status=con", ["--status=CONFIRMED"]],
    ["bug search -s CONFIRMED,in", ["CONFIRMED,IN_PROGRESS"]],
    ["--base-url demo: bug search --prod", ["--product"]],
    ["bug list --product Lan", ["Lantern"]],
    ["bug search --format nd", ["ndjson"]],
    ["bug get --color al", ["always"]],
    ["bug search --sort last_ch", ["last_change_time"]],
    ["bug search --by compo", ["component"]],
    ["bug get 1 --fields id,summ", ["id,summary"]],
    ["bug get 1 --json=id,summ", ["--json=id,summary"]],
    ["bug search --json=commen", []],
    ["bug search --fields id,_cu", ["id,_custom"]],
    ["bug history 1 --json=wh", ["--json=when", "--json=who"]],
    ["comment list 1 --fields id,cre", ["id,creation_time", "id,creator"]],
    ["field values prio", ["priority"]],
    ["field get id prio", ["priority"]],
    ["config set base", ["base_url"]],
    ["bug search -p Lantern -c ''", ["Editor", "Import & Export", "Installer", "Library", "Slideshow"]],
    ["bug search --product=Harbor -c s", ["Storage", "Sync"]],
    ["bug search -s @", ["@open", "@closed", "@all"]],
    ["bug search is:over", ["is:overdue"]],
    ["bug search stat", ["status:"]],
    ["bug search --sort priority,-last_ch", ["priority,-last_change_time"]],
    ["bug search --by component,sev", ["component,severity"]],
    ["bug update 1 --add-keywords a11y,cra", ["a11y,crash"]],
    ["--base-url d", ["demo:"]],
    ["help qu", ["query"]],
    ["help bug hist", ["history"]],
  ])("values: %s", async (line, wanted) => {
    expect(await offered(line)).toEqual(wanted);
  });

  test("the fields that can be printed, and no others", async () => {
    const names = (await offered("bug search --fields ''")).filter((name) => !name.startsWith("_"));
    const { code, out } = await bt(`bug get 44 --json=${names.join(",")}`, demo);
    expect([code, Object.keys(JSON.parse(out)[0]).sort()]).toEqual([0, [...names].sort()]);
  });

  test("labels of fields, and files for file arguments", async () => {
    expect((await bt("complete -- bug search --sort last_ch", demo)).out).toBe("last_change_time\tChanged\n");
    expect((await bt("complete -- comment add 1 --body-file ''", demo)).out).toBe(":files\n");
  });
});

test("commands and flags are completed before a tracker is configured", async () => {
  const run = (...words: readonly string[]) => real(["complete", "--", ...words]);
  expect(await run("bug", "hist")).toMatchObject({ code: 0, out: expect.stringMatching(/^history\t/), err: "" });
  expect(await run("bug", "search", "--status", "")).toMatchObject({ code: 0, out: "", err: "" });
});

test("every topic of help", async () => {
  expect(Object.keys(HELP_TOPICS)).toEqual(Object.keys(TOPICS));
  expect(await offered("help ''")).toEqual(expect.arrayContaining(Object.keys(HELP_TOPICS)));
});

test.each([...SHELLS])("bt completion %s prints completions/%s", async (shell, file) => {
  const text = readFileSync(path.join(import.meta.dirname, "../../completions", file), "utf8");
  expect(await bt(`completion ${shell}`, demo)).toMatchObject({ code: 0, out: text });
});

const FILES = { bash: "bt.bash", zsh: "_bt", fish: "bt.fish" } as const;

function fileOf(shell: keyof typeof FILES) {
  return path.join(import.meta.dirname, "../../completions", FILES[shell]);
}

function installed(shell: string) {
  return ["/bin", "/usr/bin", "/usr/local/bin"].some((folder) => existsSync(path.join(folder, shell)));
}

/** Lines as they are typed, and what a value of the tracker that they name makes of their last word. */
const TYPED = [
  ["bt bug search -P own -s con", "CONFIRMED"],
  ["bt bug search -P own -s CONFIRMED,in", "CONFIRMED,IN_PROGRESS"],
  ["bt --base-url demo: bug search -s CONFIRMED,in", "CONFIRMED,IN_PROGRESS"],
  ["bt bug search --base-url=demo: --status=in", "--status=IN_PROGRESS"],
  ["bt bug search -P own -c Impo", "Import\\ \\&\\ Export"],
  ["bt bug search -P own -c Import\\ \\&\\ Export,libr", "Import\\ \\&\\ Export,Library"],
  ["bt bug search -P own -c 'Impo", "'Import & Export'"],
  ["bt bug search -P own -p Harbor -c Sy", "Sync"],
  ["bt bug search -P own is:ope", "is:open"],
  ["bt bug search -P own -s @op", "@open"],
] as const;

/** A home with the profile `own` of the demo, and no tracker otherwise. */
async function homeWithProfiles() {
  const home = freshFolder();
  const env = { HOME: home, XDG_CONFIG_HOME: path.join(home, "config"), BT_BASE_URL: "" };
  await btConnected("config set base_url demo: -P own", { env });
  return env;
}

/** A bash at a terminal; what it has typed itself after a Tab is shown between angle brackets. */
describe.skipIf(!installed("bash") || !HAS_TERMINAL)("in a bash at a terminal", () => {
  const typed = async (keys: string) => {
    const env = await homeWithProfiles();
    const rc = `PS1= PS2=; source ${fileOf("bash")}; bind 'set bell-style none'
      show() { printf '\\n<%s>\\n' "$READLINE_LINE"; exit; }; bind -x '"\\C-g": show'`;
    writeFileSync(path.join(env.HOME, "rc"), rc);
    const line = `exec bash --noprofile --rcfile ${env.HOME}/rc -i`;
    return (await onTerminal(line, { env, input: `${keys}\t\x07` })).out;
  };

  test.each(sampled(TYPED, 5))("Tab completes %s as %s", async (line, wanted) => {
    const out = await typed(line);
    expect(/^<(.*) >$/m.exec(out)?.[1]?.endsWith(` ${wanted}`), out).toBe(true);
  });

  test.each([
    ["bt bug search -P own stat", "bt bug search -P own status:"],
    ["bt --base-url dem", "bt --base-url demo:"],
  ])("no space follows a colon: %s", async (line, wanted) => {
    expect(await typed(line)).toContain(`<${wanted}>`);
  });
});

/** A zsh at a terminal, whose own completions are read once for all tests. */
describe.skipIf(!installed("zsh") || !HAS_TERMINAL)("in a zsh at a terminal", { timeout: 90_000 }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), "bt-zsh-"));
  const loads = `autoload -Uz compinit; compinit -C -d ${folder}/dump`;
  beforeAll(() => execa("zsh", ["-d", "-f", "-c", loads]).then(() => {}), 90_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  const typed = async (keys: string) => {
    const env = await homeWithProfiles();
    const rc = `PS1= PS2=; ${loads}; source ${fileOf("zsh")}; unsetopt beep; unset zle_bracketed_paste
      show() { print -r -- $'\\n'"<$BUFFER>"; exit }; zle -N show; bindkey '^G' show`;
    writeFileSync(path.join(env.HOME, ".zshrc"), rc);
    return (await onTerminal("exec zsh -d -i", { env: { ...env, ZDOTDIR: env.HOME }, input: `${keys}\x07` })).out;
  };

  test.each(sampled(TYPED, 5, 1))("Tab completes %s as %s", async (line, wanted) => {
    const out = await typed(`${line}\t`);
    expect(/^<(.*) >$/m.exec(out)?.[1]?.endsWith(` ${wanted}`), out).toBe(true);
  });

  test("no space follows the colon of a field", async () => {
    expect(await typed("bt bug search -P own stat\t")).toContain("<bt bug search -P own status:>");
  });

  test("candidates are listed with their descriptions", async () => {
    expect(await typed("bt job \t\t")).toMatch(/list +-- \w.*show +-- \w/s);
  });
});

const FISH = "fish";

describe.skipIf(!installed(FISH))("fish offers", () => {
  test.each(sampled(TYPED, 5, 2))("for %s: %s", async (line, wanted) => {
    const env = { ...surroundings(), ...(await homeWithProfiles()) };
    const script = `source ${fileOf("fish")}; complete -C $argv[1] | sed 's/\\t.*//'`;
    const { stdout } = await execa(FISH, ["-c", script, line], { env, extendEnv: false });
    expect(stdout.replace(/\\|'/g, "")).toBe(wanted.replace(/\\|'/g, ""));
  });
});

describe("bugs that a terminal showed are offered", () => {
  /** A person at a terminal, logged in to a served demo, and one Tab after words. */
  async function person() {
    const tracker = await faultyTracker();
    const env = { ...tracker.env, HOME: freshFolder() };
    const kept = () => files(env.HOME).filter((file) => file.endsWith("/recent-bugs.json"));
    const offers = async (words: string) => (await btConnected(`complete -- ${words} ''`, { env })).out.split("\n");
    return { tracker, env, kept, offers, show: (line: string) => btConnected(line, { env, terminal: true }) };
  }

  test("newest first, with the summaries of public ones, without a request", async () => {
    const { show, offers, kept, tracker } = await person();
    await show("bug get 43");
    await show("bug search 12 9 --sort id");
    const asked = tracker.requests.length;
    expect((await offers("bug get")).slice(0, 3)).toEqual([
      expect.stringMatching(/^9\t./),
      "12\tReplies of more than 2 MB are cut without an error",
      "43\tErrors of the interface: one page with every number",
    ]);
    expect(await offers("bug update 1 --blocks")).toEqual(await offers("bug get"));
    expect(tracker.requests).toHaveLength(asked);
    expect(kept().map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
  });

  test("but not after a logout, nor if they were printed to a pipe", async () => {
    const { env, show, offers, kept } = await person();
    await btConnected("bug get 12 --json", { env });
    expect([kept(), await offers("bug get")]).toEqual([[], [""]]);
    await show("bug get 12");
    expect(kept()).toHaveLength(1);
    await show("auth logout");
    expect(kept()).toEqual([]);
  });
});

/** All files below a folder. */
function files(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true }).map((name) => path.join(folder, String(name)));
}
