import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Terminal } from "../../src/prompt/prompter.ts";
import {
  BARE_LOOK,
  isCancelled,
  matchingChoices,
  type PromptChoice,
  type Question,
} from "../../src/prompt/question.ts";
import { promptOn } from "../../src/prompt/terminal.ts";

/** A terminal that a test types on: what it shows, whether it is in raw mode, and whether it was when first written to. */
function terminal() {
  const stop = new AbortController();
  const state = { raw: false, shown: "", wasRaw: undefined as boolean | undefined };
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (raw: boolean) => Object.assign(state, { raw }),
  }) as unknown as Terminal["input"];
  // as of stderr, which no pipe ends
  const output = Object.assign(new PassThrough(), { columns: 80, _isStdio: true }).on("data", (chunk) => {
    state.wasRaw ??= state.raw;
    state.shown += chunk;
  });
  const on: Terminal = { input, output, signal: stop.signal, interrupt: () => stop.abort("SIGINT") };
  return { on, state, stop, type: (text: string) => (input as unknown as PassThrough).write(text) };
}

beforeEach(() => void vi.stubEnv("TERM", "xterm")); // on a dumb terminal, readline edits nothing

const LOOKS = { rich: BARE_LOOK, plain: { ...BARE_LOOK, isPlain: true } };
const RICH_AND_PLAIN = Object.entries(LOOKS);
const KEY: Question = { kind: "hidden", message: "Key" };

/** Puts a question to somebody who types once the question is shown, chunk by chunk. */
async function answered(question: Question, typed: readonly string[], look = BARE_LOOK) {
  const { on, state, type } = terminal();
  const asked = promptOn(on, question, look);
  await shows(state, question.message.slice(0, 40));
  for (const text of typed) {
    type(text);
    await new Promise(setImmediate);
  }
  return { answer: await asked, shown: stripVTControlCharacters(state.shown), state };
}

async function shows(state: { readonly shown: string }, text: string): Promise<void> {
  while (!state.shown.includes(text)) await new Promise(setImmediate);
}

test("a line that is left by Ctrl-C hands back what was typed so far", async () => {
  const left: string[] = [];
  const question: Question = { kind: "line", message: "Summary", leave: (typed) => left.push(typed) };
  const { on, state, type } = terminal();
  const asked = promptOn(on, question);
  await shows(state, "Summary");
  type("A cra\u0003");
  await expect(asked).rejects.toThrow("prompt cancelled");
  expect(left).toEqual(["A cra"]);
  expect((await answered(question, ["A crash\r"])).answer).toBe("A crash");
  expect(left).toEqual(["A cra"]);
});

test.each([
  ["a wrong answer of a few letters is cleared", true, ["xy\r", "y\r"], "y"],
  ["another stays, to be corrected", false, ["xy\r", "\u007f\r"], "x"],
])("%s", async (_, isBrief, typed, answer) => {
  const check = (text: string) => (text.length > 1 ? "one letter" : undefined);
  const run = await answered({ kind: "line", message: "update?", check, isBrief }, typed);
  expect(run.answer).toBe(answer);
  expect(run.shown).toContain("one letter");
});

describe.each(RICH_AND_PLAIN)("a hidden prompt (%s)", (_, look) => {
  test.each([
    ["a line", ["s3cret\r"], "s3cret"],
    ["key by key", ["s", "3", "c", "\r"], "s3c"],
    ["with backspaces", ["ax\u007fb\bcé\u007f\r"], "ac"],
    ["started over", ["wrong\u0015right\r"], "right"],
    ["pasted with text after it", ["s3cret\nrest"], "s3cret"],
  ])("accepts %s and shows nothing of it", async (_name, typed, answer) => {
    const run = await answered(KEY, typed, look);
    expect(run.answer).toBe(answer);
    expect(run.shown).toMatch(/^([?✔ ]*Key:\s*)+$/);
    expect(run.state).toMatchObject({ raw: false, wasRaw: true });
  });

  test("is silent for a paste that arrives before it is shown", async () => {
    const { on, state, type } = terminal();
    type("s3cret\r");
    expect(await promptOn(on, KEY, look)).toBe("s3cret");
    expect(state).toMatchObject({ raw: false, wasRaw: true });
    expect(state.shown).not.toContain("s3");
  });
});

describe("while something takes time", () => {
  test.each(RICH_AND_PLAIN)("keys are not echoed, and are dropped (%s)", async (_, look) => {
    const { on, state, type } = terminal();
    let done = () => undefined as unknown;
    type("before\r");
    const until = new Promise((resolve) => (done = () => resolve(1)));
    const wait = promptOn(on, { kind: "wait", message: "sending", until }, look);
    await vi.waitFor(() => expect(on.input.listenerCount("data")).toBeGreaterThan(0));
    expect(state.raw).toBe(!look.isPlain);
    type("me");
    type("i\r");
    await new Promise(setImmediate);
    done();
    type("late\r");
    expect([await wait, state.raw, state.shown]).toEqual(["", false, "sending\n"]);
    const login = promptOn(on, { kind: "line", message: "Login" }, look);
    await shows(state, "Login");
    type("ada\r");
    expect(await login).toBe("ada");
  });

  test("Ctrl-C interrupts at once, and a failure is not the prompt's", async () => {
    const { on, state, stop, type } = terminal();
    let fail = () => undefined as unknown;
    const until = new Promise((_, reject) => (fail = () => reject(new Error("gone"))));
    const wait = promptOn(on, { kind: "wait", message: "", until });
    await vi.waitFor(() => expect(state.raw).toBe(true));
    type("a\u0003");
    await vi.waitFor(() => expect(stop.signal.reason).toBe("SIGINT"));
    expect(state.raw).toBe(true);
    fail();
    expect([await wait, state.raw]).toEqual(["", false]);
  });
});

describe("a prompt for a key", () => {
  const choices = [
    { key: "a", value: "assign", name: "assign" },
    { key: "s", value: "skip", name: "skip" },
    { key: "", value: "send", name: "send" },
  ];
  const question: Question = { kind: "key", message: "Bug 12", choices };

  test.each([
    ["a single key", ["s"], "skip"],
    ["Enter", ["\r"], "send"],
    ["the first key that means something", ["\u001b[A", "x", "Zas"], "assign"],
    ["a key right behind Esc", ["\u001bs"], "skip"],
    ["no key that is pasted", ["\u001b[200~as\r", "aa", "a\u001b[201~s"], "skip"],
    ["a key right behind an arrow and a function key", ["\u001bOA\u001b[15~s"], "skip"],
  ])("takes %s at once, without Enter", async (_, typed, answer) => {
    const run = await answered(question, typed);
    expect([run.answer, run.state.raw]).toEqual([answer, false]);
    expect(run.shown).toContain("a assign  s skip  Enter send\n? Bug 12: ");
  });

  test("says why a key is for nothing now", async () => {
    const run = await answered({ ...question, reasons: { x: "nothing to cut" } }, ["x", "z", "s"]);
    expect(run.state.shown).toContain("\r? Bug 12: nothing to cut\u001b[K\r? Bug 12: no key z; ? lists all\u001b[K");
  });

  test("is drawn on a cleared screen at once if that is wanted, where a screen is redrawn", async () => {
    const asked: Question = { ...question, above: () => "About it\n", isRedrawn: true };
    const run = await answered(asked, ["s"]);
    expect(run.state.shown.startsWith("\u001b[H\u001b[JAbout it\n")).toBe(true);
    expect((await answered(asked, ["s\n"], LOOKS.plain)).shown).not.toContain("About it");
  });

  test("lists the keys again at ?", async () => {
    const run = await answered(question, ["?s"]);
    expect(run.answer).toBe("skip");
    expect(run.shown.match(/a assign {2}s skip {2}Enter send\n/g)).toHaveLength(2);
  });

  test("stops at Ctrl-Z, and is shown again once the process goes on", async () => {
    const { on, state, type } = terminal();
    const calls: string[] = [];
    let resume = () => undefined as unknown;
    const jobControl = {
      stop: () => calls.push(`stop, raw ${state.raw}`),
      onResume: (go: () => void) => (resume = go),
    };
    const asked = promptOn({ ...on, jobControl } as Terminal, question);
    await shows(state, "Bug 12");
    type("\u001a");
    await vi.waitFor(() => expect(calls).toEqual(["stop, raw false"]));
    resume();
    await vi.waitFor(() => expect(state.shown.match(/\? Bug 12: /g)).toHaveLength(2));
    expect(state.raw).toBe(true);
    type("s");
    expect(await asked).toBe("skip");
  });

  test("is shown again below what it is about, on a cleared screen and for the new width, when the terminal is resized", async () => {
    const { on, state, type } = terminal();
    const asked = promptOn(on, { ...question, above: () => "About it\n" });
    await shows(state, "Bug 12");
    Object.assign(on.output, { columns: 11 }).emit("resize");
    await vi.waitFor(() => expect(state.shown.match(/\? Bug 12: /g)).toHaveLength(2));
    const [, again = ""] = state.shown.split("\u001b[H\u001b[J");
    expect(again).toBe("About it\n\u001b[?2004h? all keys\n? Bug 12: ");
    type("s");
    expect(await asked).toBe("skip");
    expect(on.output.listenerCount("resize")).toBe(0);
  });

  test("leaves what is typed behind a key for the next prompt", async () => {
    const { on, state, type } = terminal();
    const asked = promptOn(on, question);
    await shows(state, "Bug 12");
    type("amei\r");
    expect(await asked).toBe("assign");
    expect(await promptOn(on, { kind: "line", message: "Login" })).toBe("mei");
  });
});

test("Ctrl-C leaves an inner question, and nothing else", async () => {
  for (const kind of ["line", "search", "key"] as const) {
    const choices = [{ key: "s", value: "skip", name: "skip" }];
    const { on, state, type } = terminal();
    const asked = promptOn(on, { ...COMPONENT, choices, kind, isInner: true } as Question);
    await shows(state, "component");
    type("\u0003");
    await expect(asked).rejects.toThrow("prompt cancelled");
    expect([state.raw, on.signal.aborted]).toEqual([false, false]);
  }
});

describe.each(RICH_AND_PLAIN)("E8 a cancelled prompt restores the terminal (%s)", (_, look) => {
  test("by Ctrl-C", async () => {
    const { on, state, type, stop } = terminal();
    const asked = promptOn(on, KEY, look);
    await shows(state, "Key");
    type("s3\u0003");
    await expect(asked).rejects.toThrow("prompt cancelled");
    expect([state.raw, stop.signal.reason]).toEqual([false, "SIGINT"]);
  });

  test("by a signal, before or during it", async () => {
    const { on, state, stop } = terminal();
    const asked = promptOn(on, KEY, look);
    await shows(state, "Key");
    stop.abort("SIGTERM");
    await expect(asked).rejects.toThrow("prompt cancelled");
    await expect(promptOn(on, KEY, look)).rejects.toThrow("prompt cancelled");
    expect(state.raw).toBe(false);
  });

  test("by Ctrl-D, or as the input ended", async () => {
    for (const end of [
      ({ type }: ReturnType<typeof terminal>) => type("\u0004"),
      ({ on }: ReturnType<typeof terminal>) => on.input.emit("end"),
    ]) {
      const here = terminal();
      const asked = promptOn(here.on, KEY, look);
      await shows(here.state, "Key");
      end(here);
      await expect(asked).rejects.toThrow("prompt cancelled");
      expect([here.state.raw, here.on.signal.aborted]).toEqual([false, false]);
    }
  });
});

const CHOICES: readonly PromptChoice[] = ["Viewer", "Import", "Import & Export", "2", "11", "1.0"].map((name) => ({
  value: name,
  name,
}));
const COMPONENT: Question = {
  kind: "search",
  message: "component",
  find: async (term) => matchingChoices(CHOICES, term),
};
const DOWN = "\u001b[B";
const UP = "\u001b[A";

describe("a search", () => {
  test.each([
    ["a part of the name", ["vie", "\r"], "Viewer"],
    ["the whole name, though it begins another", ["import", "\r"], "Import"],
    ["the only one that begins with it", ["v", "\r"], "Viewer"],
    ["a later one by arrow keys", ["imp", DOWN, DOWN, "\r"], "Import & Export"],
    ["the first one by an arrow key down", ["imp", DOWN, "\r"], "Import"],
    ["a later one of all", [DOWN, "\r"], "Import"],
    ["the first one by an arrow key", ["imp", UP, "\r"], "Import"],
    ["more of an ambiguous beginning", ["imp", "\r", "ort &", "\r"], "Import & Export"],
    ["the first one of several that have it inside", ["port", "\r"], "Import"],
    ["the first one by Enter alone", ["\r"], "Viewer"],
    ["a name that is a number", ["2", "\r"], "2"],
    ["another after a mistake", ["xyz", "\r", "vie", "\r"], "Viewer"],
    ["a name and Enter in one paste", ["import & export\r"], "Import & Export"],
  ])("takes %s", async (_, typed, answer) => {
    const run = await answered(COMPONENT, typed);
    expect(run.answer).toBe(answer);
    expect(run.shown.trimEnd().split("\n").at(-1)).toContain(`✔ component: ${answer}`);
  });

  test.each([
    ["by the next one", ["xyz", "\r", "xxx", "\r", "\r"], 1, 'component: no match for "xxx"'],
    ["by the answer", ["xyz", "\r", "vie", "\r"], 1, "✔ component: Viewer"],
    ["on all of its rows", ["z".repeat(80), "\r", "vie", "\r"], 2, "✔ component: Viewer"],
  ])("replaces a refusal %s", async (_, typed, rows, next) => {
    const { state } = await answered(COMPONENT, typed, BARE_LOOK);
    expect(state.shown).toContain("\u001b[1A\u001b[2K".repeat(rows) + next);
  });

  test.each([
    ["the one that Enter takes", ["vie"], "component: vie\n❯ Viewer\n"],
    [
      "none of several that the text may mean",
      ["imp"],
      "component: imp\n  Import\n  Import & Export\n\ntype more, or arrow keys, then Enter",
    ],
    [
      "the first one at the first arrow key",
      ["imp", DOWN],
      "component: imp\n❯ Import\n  Import & Export\n\ntype to search, arrow keys, then Enter",
    ],
    ["the first one at the first arrow key, up too", ["imp", UP], "component: imp\n❯ Import\n  Import & Export\n"],
    ["the one that arrow keys chose", ["imp", DOWN, DOWN], "component: imp\n  Import\n❯ Import & Export\n"],
  ])("marks %s", async (_, typed, shown) => {
    const { on, state, type, stop } = terminal();
    const asked = promptOn(on, COMPONENT, BARE_LOOK).catch((error: unknown) => error);
    await shows(state, "Viewer");
    for (const text of typed) {
      type(text);
      await new Promise(setImmediate);
    }
    expect(stripVTControlCharacters(state.shown)).toContain(shown);
    stop.abort();
    expect(isCancelled(await asked)).toBe(true);
  });

  test.each(RICH_AND_PLAIN)(
    "asks again for a value with which something is wrong, without a tick (%s)",
    async (_, look) => {
      const check = async (value: string) => (value === "Viewer" ? "no such component" : undefined);
      const run = await answered({ ...COMPONENT, check } as Question, ["vie", "\r\n", "11", "\r\n"], look);
      expect([run.answer, run.shown]).toEqual(["11", expect.stringContaining("no such component\n")]);
      expect(run.shown).not.toContain("✔ component: Viewer\n"); // one without its line break is erased
    },
  );

  test.each([
    ["Enter takes", "", "Viewer"],
    ["what is typed replaces", "import &", "Import & Export"],
  ])("begins with the nearest name after a text that nothing matches, which %s", async (_, typed, answer) => {
    const nearest = async (term: string) => (term === "veiwer" ? "viewer" : undefined);
    const run = await answered({ ...COMPONENT, nearest } as Question, ["veiwer", "\r", typed, "\r"]);
    expect([run.answer, run.shown]).toEqual([
      answer,
      expect.stringContaining('component: no match for "veiwer"; did you mean viewer?\n'),
    ]);
    const plainly = await answered({ ...COMPONENT, nearest } as Question, ["veiwer\n", "1\n"], LOOKS.plain);
    expect(plainly.shown).toContain('no match for "veiwer"; did you mean viewer?\n');
  });

  test("shows long names on a line each, which Tab types whole", async () => {
    const name = `Import and ${"export".repeat(20)}`;
    const find = async (term: string) => matchingChoices([{ value: "long", name, about: name }, ...CHOICES], term);
    const run = await answered({ kind: "search", message: "component", find }, ["\t", "\r"]);
    expect(run.answer).toBe("long");
    expect(run.shown.split("\n")).toContain(`❯ ${name.slice(0, 77)}`);
    expect(run.shown).toMatch(new RegExp(`✔ component: ${name.slice(0, 66)}\n$`));
  });

  test.each([
    ["12", "12"],
    ["import &", "Import & Export"],
  ])(
    "takes %s that is typed with its Enter before the list is there, and keeps the keys behind it",
    async (text, answer) => {
      const { on, type } = terminal();
      const usual = new Promise<never>(() => undefined);
      const find = async (term: string) => {
        if (term === "") return usual;
        await new Promise(setImmediate);
        return term === "12" ? [{ value: "12", name: "bug 12" }] : matchingChoices(CHOICES, term);
      };
      const asked = promptOn(on, { kind: "search", message: "bug", find, loadsLater: true });
      type(`${text}\rs`);
      expect(await asked).toBe(answer);
      const choices = [{ key: "s", value: "skip", name: "skip" }];
      expect(await promptOn(on, { kind: "key", message: "bug 12", choices })).toBe("skip");
    },
  );
});

test("a question that was stopped by Ctrl-Z is asked again with what was typed", async () => {
  const { on, state, type } = terminal();
  let resume = () => undefined as unknown;
  const jobControl = { stop: () => undefined, onResume: (go: () => void) => (resume = go) };
  const kill = vi.spyOn(process, "kill").mockReturnValue(true); // by which readline stops the process
  const asked = promptOn({ ...on, jobControl } as Terminal, { kind: "line", message: "comment" });
  await shows(state, "comment");
  type("abc");
  await shows(state, "abc");
  type("\u001a");
  await vi.waitFor(() => expect(kill).toHaveBeenCalledWith(process.pid, "SIGTSTP"));
  kill.mockRestore();
  resume();
  await vi.waitFor(() => expect(state.shown.split("? ").length).toBeGreaterThan(5));
  type("d\r");
  expect(await asked).toBe("abcd");
});

test.each([
  [{ kind: "line", message: "comment" }, "Seen", "Seen"],
  [
    { kind: "line", message: "comment", check: (text) => (text === "Seen" ? undefined : "no") },
    "Seen\u007f\rn",
    "Seen",
  ],
  [{ kind: "confirm", message: "comment" }, "y", "yes"],
  [{ kind: "hidden", message: "comment" }, "s3cret", "s3cret"],
  [COMPONENT, "import &", "Import & Export"],
] satisfies [Question, string, string][])(
  "keys in one piece with the Enter of %o are for the next prompt",
  async (question, typed, answer) => {
    const { on, state, type } = terminal();
    const asked = promptOn(on, question);
    await shows(state, question.message);
    type(`${typed}\rs`);
    expect(await asked).toBe(answer);
    const choices = [{ key: "s", value: "skip", name: "skip" }];
    expect(await promptOn(on, { kind: "key", message: "bug 12", choices })).toBe("skip");
  },
);

test.each([
  [true, "one\n\ntwo\nthree four"],
  [false, "one  two three four"],
])("line breaks that are pasted end no line; they are kept in a long one: %s", async (isLong, answer) => {
  const pasted = ["\u001b[200~one\r\r", "two\r\nthree\u001b[201~", " four\r"];
  const run = await answered({ kind: "line", message: "comment", isLong }, pasted);
  expect(run.answer).toBe(answer);
  expect(run.shown).toMatch(/✔ comment: one␊␊two␊+three four\n$/);
  expect(run.state.shown.split("\u001b[?2004")).toEqual(["", expect.stringMatching(/^h[\s\S]*\n/), "l"]);
});

test("a pasted text is kept when the question is asked again", async () => {
  const question: Question = { kind: "line", message: "comment", isLong: true, above: () => "bug 44\n" };
  const run = await answered(question, ["\u001b[200~one\rtwo\u001b[201~", "\f", " three\r"]);
  expect(run.answer).toBe("one\ntwo three");
});

test("Esc leaves a question that has a way back, and no other", async () => {
  for (const [question, isLeft] of [
    [{ ...COMPONENT, hasBack: true }, true],
    [{ kind: "line", message: "component", hasBack: true }, true],
    [COMPONENT, false],
  ] as const) {
    const { on, state, type } = terminal();
    const keys: string[] = [];
    on.input.on("keypress", (_, { name }) => keys.push(name));
    const ended = promptOn(on, question).then(String, (error: unknown) => isCancelled(error));
    await shows(state, "component");
    type("\u001b");
    await vi.waitFor(() => expect(keys).toEqual(["escape"])); // a moment later, as the rest of a key may follow
    if (!isLeft) type("vie\r");
    expect([await ended, on.signal.aborted]).toEqual([isLeft ? true : expect.any(String), false]);
  }
});

describe("without redrawing", () => {
  test.each([
    ["a number of the list", ["2\n"], "Import"],
    ["a name that is a number", ["2\n"].map((text) => text.replace("2", "11")), "11"],
    ["the only match", ["ewe\n"], "Viewer"],
    ["the only one that begins with it", ["v\n"], "Viewer"],
    ["a number of the shorter list after several matches", ["imp\n", "2\n"], "Import & Export"],
  ])("a search takes %s", async (_, typed, answer) => {
    const list = CHOICES.filter(({ name }) => name !== "2");
    const find = async (term: string) => matchingChoices(list, term);
    const run = await answered({ kind: "search", message: "component", find }, typed, LOOKS.plain);
    expect(run.answer).toBe(answer);
    expect(run.state.shown).not.toContain("\u001b");
  });
});

test.each(RICH_AND_PLAIN)("only a yes is a yes, and what is no answer is asked for again (%s)", async (_, look) => {
  const answers = [["y\r"], ["YES\r"], ["n\r"], ["\r"], ["j\r", "y\r"], ["yy\r", "no\r"]].map((typed) =>
    answered({ kind: "confirm", message: "drop?" }, typed, look),
  );
  const runs = await Promise.all(answers);
  expect(runs.map(({ answer }) => answer)).toEqual(["yes", "yes", "no", "no", "yes", "no"]);
  expect(runs.filter(({ shown }) => shown.includes("type y or n"))).toEqual(runs.slice(4));
});
