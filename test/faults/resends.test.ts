import { expect, test } from "vitest";
import { answer } from "../servers/fault-server.ts";
import { FATES, type Fate, once } from "./faulty-tracker.ts";
import { jobsOf, ran } from "./ran.ts";

test.each([
  ["group update staff --icon-url https://example.org/i.png", /\t\w+: \+ https:\/\/example.org\/i.png/],
  ["bug update 43 --whiteboard note", /\t\w+: \+ note/],
  ["bug update 43 44 --whiteboard note", /\t\w+: \+ note/],
])("a response with nulls is a response: %s", async (line, printed) => {
  const nulling: Fate = async ({ apply, socket }) => {
    const { body } = await apply();
    socket.write(answer(body.replaceAll('"removed":""', '"removed":null').replaceAll('"added":""', '"added":null')));
  };
  const run = await ran(`${line} --format tsv --fields result,changes`, { write: nulling });
  expect({ code: run.code, sent: run.tracker.writes().length, waits: run.waits }).toEqual({
    ...{ code: 0, sent: 1, waits: [] },
  });
  expect(run.out).toMatch(printed);
});

test("a group whose changed field the tracker does not show is not called unchanged", async () => {
  const line = "group update staff --icon-url https://example.org/i.png";
  const run = await ran(line, { write: once(FATES.resetBefore) });
  expect([run.code, run.tracker.writes().length]).toEqual([9, 1]);
  expect(run.err).toContain("unknown outcome of the update of group");
});

test.each<[what: string, fate: Fate, waits: readonly number[]]>([
  ["no response", FATES.resetBefore, [1000, 2000, 4000, 8000, 15_000]],
  ["an internal error", ({ socket }) => void socket.write(answer('{"error":true,"code":100500}')), [1000, 2000]],
])("after %s the write is looked for at these pauses, and not sent again", async (_, fate, waits) => {
  const run = await ran("comment add 43 -m One", { write: fate });
  expect({ code: run.code, sent: run.tracker.writes().length, waits: run.waits }).toEqual({ code: 9, sent: 1, waits });
});

test("after a 429 no job is left", async () => {
  const run = await ran("comment add 43 -m One", {
    write: ({ socket }) => void socket.write(answer("", { status: "429 Busy" })),
  });
  expect([run.code, jobsOf(run.home, "open")]).toEqual([8, []]);
});
