import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  BARE_LOOK,
  matchingChoices,
  PromptCancelled,
  type PromptChoice,
  type Question,
  type Terminal,
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
  const on: Terminal & { interrupt: () => void } = {
    input,
    output,
    signal: stop.signal,
    interrupt: () => stop.abort("SIGINT"),
  };
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
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate); // the prompt hears it
  }
  return { answer: await asked, shown: stripVTControlCharacters(state.shown), state };
}

async function shows(state: { readonly shown: string }, text: string): Promise<void> {
  while (!state.shown.includes(text)) await new Promise(setImmediate);
}

test("a line that is left by Ctrl-C returns the typed text", async () => {
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
  find: (term) => matchingChoices(CHOICES, term),
};
const DOWN = "\u001b[B";
const UP = "\u001b[A";

describe("a search", () => {
  test.each([
    ["a part of the name", ["vie", "\r"], "Viewer"],
    ["the whole name, though it begins another", ["import", "\r"], "Import"],
    ["the only one that begins with it", ["v", "\r"], "Viewer"],
    ["a later one by arrow keys", ["imp", DOWN, DOWN, "\r"], "Import & Export"],
    ["a later one of all", [DOWN, "\r"], "Import"],
    ["the first one by an arrow key", ["imp", UP, "\r"], "Import"],
    ["the first one of several that have it inside", ["port", "\r"], "Import"],
    ["the first one by Enter alone", ["\r"], "Viewer"],
    ["a name that is a number", ["2", "\r"], "2"],
    ["another after a mistake", ["xyz", "\r", "\u0015vie", "\r"], "Viewer"],
    ["a name and Enter in one paste", ["import & export\r"], "Import & Export"],
  ])("takes %s", async (_, typed, answer) => {
    const run = await answered(COMPONENT, typed);
    expect(run.answer).toBe(answer);
    expect(run.shown.trimEnd().split("\n").at(-1)).toContain(`✔ component: ${answer}`);
  });
});

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

test("Esc leaves a question that has a way back, and no other", async () => {
  for (const [question, isLeft] of [
    [{ ...COMPONENT, hasBack: true }, true],
    [{ kind: "line", message: "component", hasBack: true }, true],
    [COMPONENT, false],
  ] as const) {
    const { on, state, type } = terminal();
    const keys: string[] = [];
    on.input.on("keypress", (_, { name }) => keys.push(name));
    const ended = promptOn(on, question).then(String, (error: unknown) => error instanceof PromptCancelled);
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
    const find = (term: string) => matchingChoices(list, term);
    const run = await answered({ kind: "search", message: "component", find }, typed, LOOKS.plain);
    expect(run.answer).toBe(answer);
    expect(run.state.shown).not.toContain("\u001b");
  });
});

test.each(RICH_AND_PLAIN)("only yes is a yes, and other text is asked for again (%s)", async (_, look) => {
  const answers = [["y\r"], ["YES\r"], ["n\r"], ["\r"], ["j\r", "y\r"], ["yy\r", "no\r"]].map((typed) =>
    answered({ kind: "confirm", message: "drop?" }, typed, look),
  );
  const runs = await Promise.all(answers);
  expect(runs.map(({ answer }) => answer)).toEqual(["yes", "yes", "no", "no", "yes", "no"]);
  expect(runs.filter(({ shown }) => shown.includes("type y or n"))).toEqual(runs.slice(4));
});
