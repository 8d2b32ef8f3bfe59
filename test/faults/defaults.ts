import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

/** End of a command, as far as it was seen. */
export type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

/** The person whose command it was: the keys that they have, and where their files are. */
export type Whose = {
  readonly keys: readonly string[];
  readonly home?: string;
  readonly wantsStack?: boolean; // with -vv
};

/**
 * What holds of every end, whatever the fault: one error where the exit code tells of one, in words of the user's world,
 * with what to type next; nothing that a terminal would obey; no stack; and no key, in no encoding, on neither stream nor in
 * any file but those of credentials. Gives the end back.
 */
export function decent<End extends Ended>(end: End, { keys, home, wantsStack = false }: Whose): End {
  const { code, out, err } = end;
  expect(code, err).not.toBe(70);
  expect(err).not.toMatch(/\p{Cc}(?<![\n\t])/u);
  if (!wantsStack) expect(out + err).not.toMatch(/\n {4}at |node:internal/);
  if (code !== null && code > 0 && code < 128) checkError(code, err);
  const forms = keys.filter((key) => key !== "").flatMap(formsOf);
  for (const form of forms) expect([out, err].join("\n"), "a key in the output").not.toContain(form);
  expect(
    home && forms.length > 0 ? filesIn(home).filter((file) => holds(file, forms)) : [],
    "files with a key",
  ).toEqual([]);
  return end;
}

function checkError(code: number, err: string): void {
  expect(errorsIn(err), err).toBe(1);
  if (FAULTS.includes(code)) expect(err, "what to type next").toMatch(/^hint: |"hint":/m);
}

/** Network, reply, busy, unknown, guard: where nothing that was typed is at fault, what to do about it is said. */
const FAULTS: readonly number[] = [6, 7, 8, 9, 13];

/** Number of errors on stderr: a sentence behind the name, with its facts indented and a hint. */
function errorsIn(err: string): number {
  return err.split("\n").filter((line) => /^(?:\{"error":|bt: )/.test(line)).length;
}

function formsOf(key: string): readonly string[] {
  const inBase64 = ["", "x", "xy"].map((before) => {
    const skipped = before === "" ? 0 : before.length + 1;
    return Buffer.from(before + key)
      .toString("base64")
      .slice(skipped, -4);
  });
  return [...new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), ...inBase64])];
}

function filesIn(home: string): readonly string[] {
  const names = existsSync(home) ? readdirSync(home, { recursive: true, encoding: "utf8" }) : [];
  return names.filter((name) => !/credentials|bugzillarc|^bin\//.test(name)).map((name) => join(home, name));
}

function holds(file: string, texts: readonly string[]): boolean {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const bytes = readFileSync(file);
  return texts.some((text) => bytes.includes(text));
}
