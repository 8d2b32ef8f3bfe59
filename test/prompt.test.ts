import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { promptOn } from "../src/prompt.ts";

/** A terminal that a test types on: what it shows, and whether it is in raw mode. */
function terminal() {
  const shown: string[] = [];
  const stop = new AbortController();
  const state = { raw: false, flowing: false };
  const keys = new EventEmitter();
  const input = Object.assign(keys, {
    setRawMode: (raw: boolean) => Object.assign(state, { raw }),
    resume: () => Object.assign(state, { flowing: true }),
    pause: () => Object.assign(state, { flowing: false }),
  }) as unknown as Parameters<typeof promptOn>[0]["input"];
  const on = {
    input,
    output: { write: (text: string) => shown.push(text) },
    signal: stop.signal,
    interrupt: () => stop.abort("SIGINT"),
  };
  return { on, shown, state, stop, keys, type: (text: string) => keys.emit("data", Buffer.from(text)) };
}

describe("a hidden prompt", () => {
  test.each([
    ["a line", ["s3cret\r"], "s3cret"],
    ["key by key", ["s", "3", "c", "\r"], "s3c"],
    ["with backspaces", ["ax\u007fb\bcé\u007f\r"], "ac"],
    ["started over", ["wrong\u0015right\r"], "right"],
    ["with an arrow key in it", ["ab", "\u001b[D", "c\r"], "abc"],
    ["ended by Ctrl-D", ["\u0004"], ""],
    ["pasted with text after it", ["s3cret\nrest"], "s3cret"],
  ])("accepts %s", async (_, typed, answer) => {
    const { on, shown, state, type, keys } = terminal();
    const asked = promptOn(on, "Key: ", { hidden: true });
    expect(state).toEqual({ raw: true, flowing: true });
    for (const text of typed) type(text);
    expect(await asked).toBe(answer);
    expect(shown).toEqual(["Key: ", "\n"]);
    expect(state).toEqual({ raw: false, flowing: false });
    expect(keys.listenerCount("data")).toBe(0);
  });
});

test("is silent from the moment it is shown", async () => {
  const { on, state, type } = terminal();
  const wasRaw: boolean[] = [];
  const output = { write: () => wasRaw.push(state.raw) };
  const asked = promptOn({ ...on, output }, "Key: ", { hidden: true });
  type("s3cret\r");
  await asked;
  expect(wasRaw[0]).toBe(true);
});

test("a visible prompt echoes what is typed", async () => {
  const { on, shown, state, type } = terminal();
  const asked = promptOn(on, "Login: ");
  expect(state.raw).toBe(false);
  type("ada@example.org\n");
  expect(await asked).toBe("ada@example.org");
  expect(shown).toEqual(["Login: "]);
});

test("Ctrl-D is no input, and neither is anything after it", async () => {
  const { on, keys, state } = terminal();
  const asked = promptOn(on, "Login: ");
  keys.emit("end");
  await expect(asked).rejects.toThrow("prompt cancelled");
  expect([state.flowing, keys.listenerCount("data"), keys.listenerCount("end")]).toEqual([false, 0, 0]);
  const after = { ...on, input: Object.assign(on.input, { readableEnded: true }) };
  await expect(promptOn(after, "Login: ")).rejects.toThrow("prompt cancelled");
});

describe("E8 a cancelled prompt restores the terminal", () => {
  test("by Ctrl-C", async () => {
    const { on, state, type } = terminal();
    const asked = promptOn(on, "Key: ", { hidden: true });
    type("s3\u0003");
    await expect(asked).rejects.toThrow("prompt cancelled");
    expect(state).toEqual({ raw: false, flowing: false });
  });

  test("by a signal, before or during it", async () => {
    const { on, state, stop } = terminal();
    const asked = promptOn(on, "Key: ", { hidden: true });
    stop.abort("SIGTERM");
    await expect(asked).rejects.toThrow("prompt cancelled");
    await expect(promptOn(on, "Key: ", { hidden: true })).rejects.toThrow("prompt cancelled");
    expect(state).toEqual({ raw: false, flowing: false });
  });
});
