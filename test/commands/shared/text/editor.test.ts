import { readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { demo } from "../../demo.ts";

const CREATE = "bug create -p Lantern -c Editor --version 3.2 -t Crop -e";
const QUOTE = "comment add 29 --reply 1 -e";

/** Runs a line on a terminal with a line of shell as the editor, which finds the text in "$1". */
function edited(line: string, editor: string) {
  const tracker = demo();
  const env = { EDITOR: `sh -c '${editor}' editor`, PATH: "/usr/bin:/bin" };
  return tracker(line, { terminal: true, env });
}

/** Body of the write among the requests of a run. */
function posted(requests: Awaited<ReturnType<typeof edited>>["requests"]) {
  return requests.findLast(({ method }) => method !== "GET")?.body;
}

/** Writes a line above the scissors. */
const above = (text: string) => `sed -i "/^# -* >8/i ${text}" "$1"`;

test.each([
  [CREATE, "true", "the description is empty; nothing sent"],
  [CREATE, `printf "  \\n" > "$1"`, "the description is empty; nothing sent"],
  [QUOTE, "true", "the comment is unchanged; nothing sent"],
  [QUOTE, `printf "\\n" >> "$1"`, "the comment is unchanged; nothing sent"],
  [QUOTE, `echo below >> "$1"`, "the comment is unchanged; nothing sent"],
  ["comment add 29", "true", "the comment is empty; nothing sent"],
  [QUOTE, `: > "$1"`, "the comment is empty; nothing sent"],
  [QUOTE, `rm "$1"`, "the comment is empty; nothing sent"],
  [QUOTE, "exit 3", "the editor .* failed: exit status 3\nhint: set BT_EDITOR or EDITOR"],
])("%s with the editor %s sends and keeps nothing", async (line, editor, told) => {
  const { code, out, err, requests } = await edited(line, editor);
  expect(err).toMatch(new RegExp(`^bt: ${told}\n$`));
  expect([code, out]).toEqual([told.includes("failed") ? 12 : 1, ""]);
  expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test.each([
  ["comment add 29 -e", "29"],
  ["attachment update 2 -e", "2"],
])("the editor of %s shows below the text what it is for", async (line, shown) => {
  const { requests } = await edited(line, `t=$(sed -n "$ s/.* //p" "$1"); ${above("$t")}`);
  expect(posted(requests)).toMatchObject({ comment: shown });
});

test.each([
  ["true", 1, undefined],
  [above("Since 3.2."), 0, { comment: { body: "Since 3.2." }, flags: [{ id: expect.any(Number), status: "X" }] }],
])("bug answer without a comment opens the editor: %s", async (editor, code, sent) => {
  const run = demo();
  await run("bug update 44 --flag 'needinfo?(mei@example.org)'");
  const env = { EDITOR: `sh -c '${editor}' editor`, PATH: "/usr/bin:/bin" };
  const ran = await run("bug answer 44", { login: "mei@example.org", terminal: true, env });
  expect([ran.code, ran.requests.find(({ method }) => method === "PUT")?.body]).toEqual([
    code,
    sent && expect.objectContaining(sent),
  ]);
});

test("the edited text is kept for --body-file if the editor fails, without the lines below the scissors", async () => {
  const { code, err } = await edited(QUOTE, `${above("Me too.")}; exit 1`);
  expect(code).toBe(12);
  const [, kept = ""] = /your text is saved in\s+(\S+) \(for --body-file\)/.exec(err) ?? [];
  const text = readFileSync(kept, "utf8");
  expect(text).toContain("Me too.");
  expect(text).not.toContain(">8");
  rmSync(dirname(kept), { recursive: true });
});

test("the edited text is named after Ctrl-C, which shows no error", async () => {
  const env = { EDITOR: `sh -c '${above("Me too.")}; exit 1' editor`, PATH: "/usr/bin:/bin" };
  const { code, err } = await demo()(QUOTE, { terminal: true, env, signal: AbortSignal.abort("SIGINT") });
  const [, kept = ""] = /^your text is saved in (\S+) \(for --body-file\)\n$/.exec(err) ?? [];
  expect([code, readFileSync(kept, "utf8")]).toEqual([130, expect.stringContaining("Me too.")]);
  rmSync(dirname(kept), { recursive: true });
});

test("nothing below the scissors is sent, even without them", async () => {
  for (const remove of ["true", `sed -i "/>8/d" "$1"`]) {
    const { requests } = await edited("comment add 29", `${above("Me too.")}; ${remove}; echo secret >> "$1"`);
    expect(posted(requests)).toMatchObject({ comment: "Me too." });
  }
  const quoted = "> # ------------------------ >8 ------------------------";
  const { requests } = await edited("comment add 29", `printf "${quoted}\\nYes.\\n" > "$1"`);
  expect(posted(requests)).toMatchObject({ comment: `${quoted}\nYes.` });
});
