import { describe, expect, test } from "vitest";
import { type Person, READING_WAYS, type Scene } from "./scene.ts";

/** Words that stand only in what outsiders may not see: a bug of the security group, and an insiders' comment with a tag. */
const SECRET = /quagga|okapi|zorilla/i;

async function withSecrets(scene: Scene): Promise<{ readonly hidden: string; readonly comment: string }> {
  const [hidden = ""] = (await scene.say("ada", "bug search --where 'group = security' --format ids")).out.split("\n");
  await scene.say("ada", `bug update ${hidden} --summary 'A quagga can read every file' --add-alias quagga-file`);
  const { out } = await scene.say("ada", "comment add 1 -m 'The okapi of the customer' --private");
  await scene.say("ada", `tag update ${out.trim()} --add zorilla`);
  return { hidden, comment: out.trim() };
}

/** Every way to read; {bug} is the hidden bug and {comment} the private comment. What is marked shows a secret to those who may see it. */
const READS: readonly (readonly [line: string, shows: boolean])[] = [
  ["bug get {bug}", true],
  ["bug get quagga-file", true],
  ["bug get 1 {bug} 2 --json", true],
  ["bug search --id {bug}", true],
  ["bug search --id 1,{bug},2 --json", true],
  ["bug search --alias quagga-file", true],
  ["bug search --summary quagga", true],
  ["bug search --where 'alias ~ quagga' --fields alias", true],
  ["bug search --quicksearch quagga", true],
  ["bug search --product Harbor --all --fields _all --json", true],
  ["bug search --all --fields alias,summary", true],
  ["bug search --all --sort summary", true],
  ["bug history {bug} --json", true],
  ["comment list {bug}", false],
  ["comment list 1", true],
  ["comment list 1 {bug}", true],
  ["comment get {comment}", true],
  ["tag search zor", true],
  ["api /rest/bug/{bug}", true],
  ["api /rest/bug/quagga-file", true],
  ["api /rest/bug -f id={bug}", true],
  ["api /rest/bug -f alias=quagga-file", true],
  ["api /rest/bug/1 -f ids={bug}", true],
  ["api /rest/bug/{bug}/history", true],
  ["api /rest/bug/{bug}/comment", false],
  ["api /rest/bug/1/comment", true],
  ["api /rest/bug/1/comment -f ids={bug}", true],
  ["api /rest/bug/comment/{comment}", true],
  ["api /rest/bug/comment/5 -f comment_ids={comment}", true],
  ["api /rest/bug/comment/tags/zorilla", true],
  ["api /rest/bug/{bug}/attachment", false],
];

/** Searches whose answer would give a secret away by being there. */
const TRACES = [
  "bug search --where 'comment ~ okapi' --format ids",
  "bug search --where 'comment_tag = zorilla' --format ids",
  "bug search --where 'group = security' --format ids",
  "bug search --where 'summary changed to \"A quagga can read every file\"' --format ids",
  "bug search --quicksearch 'ALL okapi' --format ids",
];

/** Commands that nobody may use on bugs that they cannot see. */
const WRITES = [
  "bug update {bug} --priority Low",
  "bug update {bug} -m text",
  "comment add {bug} -m text",
  "bug dup 2 {bug}",
  "tag update {comment} --add found",
  "bug update 1 --comment-is-private {comment}=no",
  "api PUT /rest/bug/{bug} -f whiteboard=x",
  "api POST /rest/bug/{bug}/comment -f comment=x",
  'api PUT /rest/bug/comment/{comment}/tags -F add=["found"]',
];

const OUTSIDERS: readonly Person[] = ["nobody", "sam"];

describe.each(READING_WAYS)("hidden bugs stay hidden %s", (_way, open) => {
  test("users who may see them do", async () => {
    const scene = await open();
    const { hidden, comment } = await withSecrets(scene);
    for (const [line, shows] of READS) {
      const { out } = await scene.say("ada", line.replace("{bug}", hidden).replace("{comment}", comment));
      expect([line, SECRET.test(out)]).toEqual([line, shows]);
    }
    for (const line of TRACES) expect([line, (await scene.say("ada", line)).out === ""]).toEqual([line, false]);
  });

  test.each(OUTSIDERS)("%s cannot read them by any route", async (person) => {
    const scene = await open();
    const { hidden, comment } = await withSecrets(scene);
    for (const [line] of READS) {
      const { out, err } = await scene.say(person, line.replace("{bug}", hidden).replace("{comment}", comment));
      const told = (out + err.replaceAll(/^note: no bugs match .*$/gm, "")).replaceAll(
        /quagga-file|tags\/zorilla/g,
        "",
      ); // what was asked for
      expect([line, SECRET.exec(told)?.[0]]).toEqual([line, undefined]);
    }
  });

  test.each(OUTSIDERS)("%s cannot find them by searching", async (person) => {
    const scene = await open();
    await withSecrets(scene);
    for (const line of TRACES) expect([line, (await scene.say(person, line)).out]).toEqual([line, ""]);
  });

  test.each(OUTSIDERS)("%s cannot change them", async (person) => {
    const scene = await open();
    const { hidden, comment } = await withSecrets(scene);
    const before = await everything(scene, hidden, comment);
    for (const line of WRITES) {
      const { code, out, err } = await scene.say(person, line.replace("{bug}", hidden).replace("{comment}", comment));
      expect([line, code === 0 && !line.startsWith("tag")]).toEqual([line, false]);
      expect(out + err).not.toMatch(SECRET);
    }
    expect(await everything(scene, hidden, comment)).toEqual(before);
  });
});

async function everything(scene: Scene, hidden: string, comment: string): Promise<readonly string[]> {
  const lines = [`bug get ${hidden} 2 1 --json`, `comment list ${hidden} 1 2 --json`, `comment get ${comment} --json`];
  const told: string[] = [];
  for (const line of lines) told.push((await scene.say("ada", line)).out);
  return told;
}
