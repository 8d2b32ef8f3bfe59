import { describe, expect, test } from "vitest";
import { updates } from "../../../bt.ts";
import { demo } from "../../demo.ts";

const SAID = { comment: { body: "hello" }, work_time: 1 };

describe("bug close changes open bugs, and closed ones only with an explicit resolution", () => {
  test.each([
    ["close 30", [], "bug 30: already RESOLVED\n"], // INVALID
    ["close 30 14", [], "bug 30: already RESOLVED\nbug 14: already VERIFIED\n"],
    ["close 30 44", [{ ids: [44], status: "RESOLVED", resolution: "FIXED" }], "bug 30: already RESOLVED\n"],
    ["close 30 --as INVALID", [], "bug 30: already RESOLVED\n"],
    ["close 30 --as WONTFIX", [{ ids: [30], resolution: "WONTFIX" }]],
    ["close 14 --as WONTFIX", [{ ids: [14], resolution: "WONTFIX" }]],
    [
      "close 14 44 --as WONTFIX",
      [
        { ids: [44], status: "RESOLVED", resolution: "WONTFIX" },
        { ids: [14], resolution: "WONTFIX" },
      ],
    ],
    ["close 44 --dupe-of 43", [{ ids: [44], dupe_of: 43 }]],
    ["close 30 --dupe-of 43", [{ ids: [30], dupe_of: 43 }]],
    ["close 4 --dupe-of 3", [], "bug 4: already RESOLVED\n"],
    ["close 4", [], "bug 4: already RESOLVED\n"],
  ])("bug %s", async (line, sent, said = "") => {
    const ran = await demo()(`bug ${line}`);
    expect([ran.code, ran.err]).toEqual([0, said]);
    expect(updates(ran)).toEqual(sent);
  });
});

describe("an unchanged bug gets no comment and no hours", () => {
  test.each([
    ["close 30 -m hello", "bug 30: unchanged, comment not added"],
    ["close 30 --work-time 1", "bug 30: unchanged, hours not added"],
    ["close 30 -m hello --work-time 1 --as invalid", "bug 30: unchanged, comment and hours not added"],
    ["close 4 -m hello --dupe-of 3", "bug 4: unchanged, comment not added"],
  ])("a single unchanged bug is an error: bug %s", async (line, message) => {
    const ran = await demo()(`bug ${line}`);
    expect([ran.code, ran.out, updates(ran)]).toEqual([10, "", []]);
    expect(ran.err).toContain(`bt: ${message}\nhint: bt comment add ${line.split(" ")[1]}, or --comment-anyway`);
  });

  test.each([
    ["close 30 44 -m hello --work-time 1", ""],
    ["close - -m hello --work-time 1", "30\n44\n"],
  ])("one of several unchanged bugs is listed: bug %s", async (line, stdin) => {
    const run = (more: string, terminal = false) => demo()(`bug ${line}${more}`, { stdin, terminal });
    const shown = await run("", line.includes("30"));
    expect([shown.code, updates(shown)]).toEqual([
      0,
      [{ ids: [44], status: "RESOLVED", resolution: "FIXED", ...SAID }],
    ]);
    expect(shown.out + shown.err).toMatch(/30[^#]*unchanged, comment and\s+hours not added/);
    const [first, second] = JSON.parse((await run(" --json")).out);
    expect(first).toMatchObject({ id: 30, changes: {}, not_applied: ["comment", "work_time"] });
    expect(second).toMatchObject({ id: 44, changes: { status: { added: "RESOLVED" } } });
    expect(second).not.toHaveProperty("not_applied");
  });

  test("a closed bug from stdin is no error", async () => {
    const ran = await demo()("bug close - -m hello", { stdin: "30" });
    expect([ran.code, ran.out]).toEqual([0, expect.stringMatching(/^30\tunchanged, comment not added\t/)]);
  });

  test.each([
    ["close 30 -m hello --work-time 1 --comment-anyway", [{ ids: [30], ...SAID }]],
    [
      "close 30 44 -m hello --work-time 1 --comment-anyway",
      [
        { ids: [44], status: "RESOLVED", resolution: "FIXED", ...SAID },
        { ids: [30], ...SAID },
      ],
    ],
  ])("unless --comment-anyway is given: bug %s", async (line, sent) => {
    const ran = await demo()(`bug ${line}`);
    expect([ran.code, updates(ran)]).toEqual([0, sent]);
  });
});

describe("with more than 20 bugs", () => {
  const ids = [...Array(50).keys()].map((at) => at + 1).filter((id) => id !== 17 && id !== 28); // closed to him

  test("each closed bug is a line, and a second run changes nothing", async () => {
    const run = demo();
    const first = await run("bug close - -m hello --yes", { stdin: ids.join("\n") });
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toContain("\n30\tunchanged, comment not added\t");
    expect(first.out).toMatch(/^44\tdone\t/m);
    expect(updates(first).length).toBe(30);
    const again = await run("bug close - -m hello --yes", { stdin: ids.join("\n") });
    expect([again.code, again.err, updates(again)]).toEqual([0, "", []]);
    expect(again.out.match(/unchanged, comment not added/g)).toHaveLength(ids.length);
    expect(JSON.parse((await run("bug get 30 --json")).out)[0].resolution).toBe("INVALID");
  });

  test("each change is of its own kind", async () => {
    const ran = await demo()("bug close - --as WONTFIX --comment-anyway -m hello --yes --json", {
      stdin: ids.join("\n"),
    });
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.out).map(({ result }: { result: string }) => result)).not.toContain("unchanged");
    const sent = updates(ran);
    expect(sent.flatMap(({ ids: [id] = [] as never }: { ids?: number[] }) => id)).toHaveLength(ids.length);
    expect(sent.find((body) => String(body["ids"]) === "13")).toEqual({ ids: [13], comment: { body: "hello" } });
    expect(sent.find((body) => String(body["ids"]) === "14")).toMatchObject({ resolution: "WONTFIX" });
    expect(sent.find((body) => String(body["ids"]) === "14")).not.toHaveProperty("status");
  });
});

describe("if one of a few bugs is refused, each of them is reported", () => {
  test("by the tracker", async () => {
    const run = demo({ parameters: { noresolveonopenblockers: "1" } });
    await run("bug update 43 --add-depends-on 41");
    const ran = await run("bug close 43 44 30");
    expect(ran.code).toBe(3);
    expect(ran.err).toMatch(/ {4}bug 43: not changed.*\n {4}bug 44: not changed\n/);
    expect(JSON.parse((await run("bug get 44 --json")).out)[0].status).toBe("CONFIRMED");
    const mixed = await run("bug close 44 30 43 --as FIXED -m hello");
    expect([mixed.code, mixed.out]).toEqual([3, ""]);
  });
});
