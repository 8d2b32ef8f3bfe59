import { beforeAll, describe, expect, test } from "vitest";
import { type Opened, openTracker } from "../../src/tracker/open.ts";
import { asked, bt } from "../bt.ts";

let demo: Opened;
beforeAll(() => {
  const now = () => new Date("2026-11-20T12:00:00Z");
  demo = openTracker("demo:", { now, random: (bytes) => new Uint8Array(bytes), dataDirectory: "" });
  return () => demo.close();
});

describe("F1 what does not name a bug is refused before anything is sent", () => {
  test.each([
    "-1",
    "0",
    "",
    " ",
    "1e3",
    "0x10",
    "1,2",
    "1;2",
    "９２",
    "9007199254740993",
    "..",
    "../version",
    "1/2",
    "1?x=1",
    "%2e%2e",
    "1\n2",
    "1 2",
  ])("%j", async (name) => {
    for (const verb of [
      "bug get",
      "bug history",
      "bug update --priority High",
      "comment list",
      "comment add -m text",
    ]) {
      const ran = await bt(`${verb} -- '${name}'`, demo);
      expect(ran).toMatchObject({
        code: 2,
        out: "",
        err: expect.stringContaining("does not name a bug"),
        requests: [],
      });
    }
  });
});

/** What may be asked to find out whether a name is right. */
const KNOWING = /^GET \/rest\/(field\/|version|bug\/\d+(\/comment)?\?|bug\/\d+$|whoami|valid_login)/;

describe("F2 F3 F4 F5 F12 nothing empty, misspelt or impossible is searched for or changed", () => {
  test.each([
    "bug search --status ''",
    "bug search --status CONFIRMED --product ''",
    "bug search --assigned-to ''",
    "bug search --id ''",
    "bug search --summary ''",
    "bug search --summary ' '",
    "bug search --quicksearch ''",
    "bug search --creation-time ''",
    "bug search --limit '' --status CONFIRMED",
    "bug search --where ''",
    "bug search ''",
    "bug search",
    "bug search --status CONFIRMED,",
    "bug search --status confirmedd",
    "bug search --product NOSUCH",
    "bug search --priority Urgent",
    "bug search --severity none",
    "bug search --version 99",
    "bug search --id 1,x",
    "bug search --id 1..5x",
    "bug search --limit ten --status CONFIRMED",
    "bug search --limit -1 --status CONFIRMED",
    "bug search --limit 1.5 --status CONFIRMED",
    "bug search --offset 5 --status CONFIRMED",
    "bug search --creation-time 2026-13-45",
    "bug search --creation-time 2026-02-30",
    "bug search --creation-time 2025-02-29",
    "bug search --creation-time yesterday-ish",
    "bug search --status CONFIRMED --sort nosuch",
    "bug search --status CONFIRMED --fields nosuch",
    "bug search --status CONFIRMED --fields id,,summary",
    "bug search --stauts CONFIRMED",
    "bug search --status",
    "bug search --status CONFIRMED --format xml",
    "bug search --status CONFIRMED --color sometimes",
    "bug get '' 1",
    "bug history 1 --new-since ''",
    "comment list 1 --new-since ''",
    "field values component --product NOSUCH",
    "tag search ''",
    "comment get ''",
    "comment get 1x",
    "bug update '' --priority High",
    "bug update 1 --priority ''",
    "bug update 1",
    "bug update 1 --flags ''",
    "bug update 1 --cc =mei@example.org",
    "bug update 1 --groups =security",
    "bug update 1 --see-also =https://bugs.example.org/show_bug.cgi?id=3",
    "bug update 1 --field __proto__=x",
    "bug update 1 --field constructor=y",
    "bug update 1 --dupe-of 1x",
    "comment add 1 -m ''",
    "comment add 1 -m '   '",
    "comment add 1 -m -",
  ])("bt %s", async (line) => {
    const ran = await bt(line, demo);
    expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringMatching(/^bt: .+\n/) });
    expect(asked(ran).filter((one) => !KNOWING.test(one))).toEqual([]);
  });

  test.each(["field get ''", "field get nosuch", "field values nosuch"])("bt %s is missing", async (line) => {
    expect(await bt(line, demo)).toMatchObject({ code: 5, out: "" });
  });
});
