import { describe, expect, test } from "vitest";
import type { Exchange } from "../../../../src/wire/exchange.ts";
import { asked, bt } from "../../../bt.ts";
import { freshDemo } from "../../../fresh-demo.ts";
import { demo } from "../../demo.ts";

const BUG = "bug create -p Lantern -c Library --bug-version 3.2 -t 'Nightly failed' --or-comment nightly-linux";

async function bugOf(run: ReturnType<typeof demo>, ref: string) {
  const { out } = await run(`bug get ${ref} --comments --json`);
  return JSON.parse(out)[0];
}

describe("bt bug create --or-comment", () => {
  test("files one bug, on which the next run comments", async () => {
    const run = demo();
    const first = await run(`${BUG} -d 'Build 1'`);
    expect(first).toMatchObject({ code: 0, out: "51\n", err: "" });
    const second = await run(`${BUG} -F -`, { stdin: "Build 2\n" });
    expect(second).toMatchObject({ code: 0, out: "51\n", err: "note: added a comment to bug 51\n" });
    const bug = await bugOf(run, "nightly-linux");
    expect(bug).toMatchObject({ id: 51, alias: ["nightly-linux"] });
    expect(bug.comments.map(({ text }: { text: string }) => text.trim())).toEqual(["Build 1", "Build 2"]);
    expect(await run(`${BUG} -d 'Build 3' --json`)).toMatchObject({
      ...{ out: '{"id":51,"result":"commented"}\n', err: "note: added a comment to bug 51\n" },
    });
    await run("bug close 51");
    const filed = await run(`${BUG} -d 'Build 4' --json`);
    expect(JSON.parse(filed.out)).toMatchObject({ id: 52, result: "created" });
  });

  test.each([
    ["--fields id,result", "51\tcreated\n", "51\tcommented\n"],
    ["--format tsv --fields result,id", "created\t51\n", "commented\t51\n"],
    ["--format csv", "id,result\r\n51,created\r\n", "id,result\r\n51,commented\r\n"],
    ["--format ids", "51\n", "51\n"],
  ])("prints what is chosen: %s", async (flags, filed, commented) => {
    const run = demo();
    expect(await run(`${BUG} -d 'Build 1' ${flags}`)).toMatchObject({ code: 0, out: filed });
    expect(await run(`${BUG} -d 'Build 2' ${flags}`)).toMatchObject({ code: 0, out: commented });
  });

  test.each(["-p Lantrn", "-c Libary", "--priority Hihg", "--cc mie@example.org", "--depends-on nope"])(
    "checks %s before it takes the alias of a closed bug",
    async (wrong) => {
      const run = demo();
      const refused = await run(`${BUG} -d 'Build 1' ${wrong}`);
      expect(refused.code).toBeGreaterThan(1);
      await run(`${BUG} -d 'Build 1'`);
      await run("bug close 51");
      expect((await run(`${BUG} -d 'Build 3' ${wrong}`)).code).toBe(refused.code);
      expect((await bugOf(run, "51")).alias).toEqual(["nightly-linux"]);
    },
  );

  test("refuses a column that it does not have before anything is sent", async () => {
    const run = demo();
    const refused = await run(`${BUG} -d 'Build 1' --fields summary`);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("valid values: ") });
    expect(await run(`${BUG} -d 'Build 1'`)).toMatchObject({ out: "51\n" });
  });

  test("a closed bug hands its alias to the new one, which names it", async () => {
    const run = demo();
    await run(`${BUG} -d 'Build 1'`);
    await run("bug close 51");
    expect(await run(`${BUG} -d 'Build 9'`)).toMatchObject({ code: 0, out: "52\n" });
    const bug = await bugOf(run, "nightly-linux");
    expect([bug.id, bug.comments[0].text]).toEqual([52, "Build 9\n\nEarlier: bug 51"]);
    expect(await bugOf(run, "51")).toMatchObject({ alias: [], status: "RESOLVED" });
  });

  test("of two runs at once, one files and the other comments", async () => {
    const { exchange, login } = freshDemo({
      now: () => new Date("2026-11-20T12:00:00Z"),
      random: (n) => new Uint8Array(n),
    });
    let waiting: (() => void) | undefined;
    const together: Exchange = async (request) => {
      if (request.path !== "/rest/bug/nightly-linux") return exchange(request);
      const response = await exchange(request);
      await new Promise<void>((go) => {
        if (response.status === 200) return go();
        if (!waiting) waiting = go;
        else {
          waiting();
          go();
        }
      });
      return response;
    };
    const around = { exchange: together, login, now: "2026-11-20T12:00:00Z" };
    const [one, other] = await Promise.all([bt(`${BUG} -d One`, around), bt(`${BUG} -d Other`, around)]);
    expect([one, other]).toMatchObject([
      { code: 0, out: "51\n" },
      { code: 0, out: "51\n" },
    ]);
    const sent = [...asked(one), ...asked(other)].filter((line) => line.startsWith("POST"));
    expect(sent.map((line) => line.split(" ", 2).join(" "))).toEqual([
      "POST /rest/bug",
      "POST /rest/bug",
      "POST /rest/bug/51/comment",
    ]);
  });

  test("--dry-run shows what would be sent, and sends nothing", async () => {
    const run = demo();
    expect((await run(`${BUG} -d One --dry-run`)).err).toContain("would send POST /rest/bug\n");
    await run(`${BUG} -d One`);
    const ran = await run(`${BUG} -d Two --dry-run`);
    expect(ran.err).toContain("would send POST /rest/bug/51/comment\n");
    await run("bug close 51");
    expect((await run(`${BUG} -d Two --dry-run`)).err).toMatch(
      /would send PUT \/rest\/bug\/51\n[\s\S]*would send POST \/rest\/bug\n/,
    );
    expect((await bugOf(run, "51")).comments).toHaveLength(1);
  });

  test.each([
    [`${BUG} -d x --alias other`, 2, "--or-comment and --alias cannot be used together"],
    [BUG, 2, "--or-comment requires a description"],
    [`${BUG.replace("nightly-linux", "44")} -d x`, 2, "--or-comment requires an alias"],
    [`${BUG.replace("nightly-linux", "'two words'")} -d x`, 2, 'the alias "two words" is not one word'],
    [`${BUG.replace("nightly-linux", "ci,linux")} -d x`, 2, 'the alias "ci,linux" is not one word'],
  ])("%s is refused", async (line, code, message) => {
    const ran = await demo()(line);
    expect(ran).toMatchObject({ code, out: "", err: expect.stringContaining(message) });
    expect(asked(ran).filter((request) => !request.startsWith("GET"))).toEqual([]);
  });

  test("an alias that was not applied is an error", async () => {
    const { exchange, login } = freshDemo({
      now: () => new Date("2026-11-20T12:00:00Z"),
      random: (n) => new Uint8Array(n),
    });
    const dropping: Exchange = (request) => {
      const { alias: _, ...body } = Object(request.body);
      return exchange(request.method === "POST" ? { ...request, body } : request);
    };
    const dropped = await bt(`${BUG} -d x`, { login, now: "2026-11-20T12:00:00Z", exchange: dropping });
    expect(dropped).toMatchObject({ code: 10, err: expect.stringContaining("created bug 51; not applied: alias\n") });
  });
});
