import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createMirror, openMirror } from "../../../src/tracker/mirror/open.ts";
import type { ReceivedBug } from "../../../src/wire/mirror.ts";
import { stoppedClock } from "../../clock.ts";
import { freshDemo } from "../../fresh-demo.ts";
import { freshFolder } from "../../fresh-folder.ts";
import { receiveBugs, receiveMetadata } from "./received.ts";

const RUNTIME = { now: stoppedClock().now, random: (bytes: number) => new Uint8Array(bytes) };
const READ = "2026-11-20T12:00:00Z";
const FACTS = {
  tracker: "https://bugs.example.org",
  login: "tomas@example.org",
  products: [],
  attachments: "all",
  publicOnly: false,
} as const;

/** Words of the summary and of the comments of a bug; no other bug has one of them. */
const [IN_SUMMARY, IN_COMMENT] = ["Xylophonquark", "Wurzelbrumpf"];

/** A mirror in a file of the demo, one bug of which has the words, many times. */
async function secretiveMirror() {
  const { tracker, store } = freshDemo(RUNTIME);
  const userId = Number(store.get("SELECT id FROM users WHERE login = ?", [FACTS.login])?.["id"]);
  const exchange = (request: Parameters<typeof tracker>[0]) => tracker(request, { address: "127.0.0.1", userId });
  const file = `${freshFolder()}/work.db`;
  const bugs = await receiveBugs(exchange);
  const [one, ...others] = bugs as [ReceivedBug, ...ReceivedBug[]];
  const secret: ReceivedBug = {
    ...one,
    bug: { ...one.bug, summary: `About ${IN_SUMMARY}` },
    comments: one.comments.map((comment) => ({ ...comment, text: `${IN_COMMENT} `.repeat(500) })),
  };
  const { mirror, emptyLog, close } = createMirror(file, FACTS, RUNTIME);
  mirror.keepMetadata(await receiveMetadata(exchange));
  await mirror.keepBugs([secret], READ);
  await mirror.keepBugs(others, READ);
  emptyLog();
  close();
  return { file, secret };
}

/** The words that are in the file of a mirror or beside it: in tables, indexes, free pages or the log. */
function wordsIn(file: string): readonly string[] {
  const files = [file, `${file}-wal`].filter((one) => existsSync(one));
  const content = files.map((one) => readFileSync(one, "latin1").toLowerCase()).join("");
  return [IN_SUMMARY, IN_COMMENT].filter((word) => content.includes(word.slice(1).toLowerCase()));
}

test.each<readonly [string, (bug: ReceivedBug) => ReceivedBug | undefined]>([
  ["a removed bug", () => undefined],
  ["a bug whose comments vanished and whose summary changed", (one) => withoutTexts(one)],
])("nothing of %s stays in the file, not even in the word index or in free pages", async (_, after) => {
  const { file, secret } = await secretiveMirror();
  expect(wordsIn(file)).toEqual([IN_SUMMARY, IN_COMMENT]);
  const { mirror, emptyLog, close } = openMirror(file, RUNTIME);
  const changed = after(secret);
  if (changed) await mirror.keepBugs([changed], READ);
  else mirror.removeBugs([Number(secret.bug["id"])]);
  emptyLog();
  close();
  expect(wordsIn(file)).toEqual([]);
});

function withoutTexts(one: ReceivedBug): ReceivedBug {
  return { ...one, bug: { ...one.bug, summary: "Another one" }, comments: [] };
}
