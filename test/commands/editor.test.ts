import { readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { demo } from "./demo.ts";

const CREATE = "bug create -p Lantern -c Editor --version 3.2 -t Crop -e";
const QUOTE = "comment add 29 --reply 1 -e";

/** Runs a line on a terminal with a line of shell as the editor, which finds the text in "$1". */
function edited(line: string, editor: string) {
  const tracker = demo();
  const env = { EDITOR: `sh -c '${editor}' editor`, PATH: "/usr/bin:/bin" };
  return tracker(line, { terminal: true, env });
}

test.each([
  [CREATE, "true", "the description is empty; nothing sent"],
  [CREATE, `printf "  \\n" > "$1"`, "the description is empty; nothing sent"],
  [QUOTE, "true", "the comment is unchanged; nothing sent"],
  [QUOTE, `printf "\\n" >> "$1"`, "the comment is unchanged; nothing sent"],
  [QUOTE, `: > "$1"`, "the comment is empty; nothing sent"],
  [QUOTE, `rm "$1"`, "the comment is empty; nothing sent"],
  [QUOTE, "exit 3", "the editor .* failed: exit status 3\nhint: set BT_EDITOR or EDITOR"],
])("%s with the editor %s sends and keeps nothing", async (line, editor, told) => {
  const { code, out, err, requests } = await edited(line, editor);
  expect(err).toMatch(new RegExp(`^bt: ${told}\n$`));
  expect([code, out]).toEqual([told.includes("failed") ? 12 : 2, ""]);
  expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("the edited text is sent, and its file deleted", async () => {
  const { code, requests } = await edited(QUOTE, `echo "Me too." >> "$1"`);
  expect(code).toBe(0);
  expect(requests.at(-1)?.body).toMatchObject({
    comment: expect.stringMatching(/^\(In reply to [\s\S]*\n\nMe too\.$/),
  });
});

test("the edited text is kept if the editor fails", async () => {
  const { code, err } = await edited(QUOTE, `echo "Me too." >> "$1"; exit 1`);
  expect(code).toBe(12);
  const [, kept = ""] = /your text is saved in (\S+)/.exec(err) ?? [];
  expect(readFileSync(kept, "utf8")).toContain("Me too.");
  rmSync(dirname(kept), { recursive: true });
});
