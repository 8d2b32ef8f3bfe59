import { describe, expect, test } from "vitest";
import { freshFolder } from "../../../fresh-folder.ts";
import { demo } from "../../demo.ts";

type Row = { id: number | string; result: string; changes?: object; error?: { kind: string; message: string } };

const FEW = [44, 45];
const MANY = [...Array(24).keys()].map((at) => at + 1).filter((id) => id !== 17); // he does not see 17
const HEAD = "id,result,changes,last_change_time,error";

describe.each([
  ["one", [44]],
  ["few", FEW],
  ["many", MANY],
  ["few, one of them missing", [...FEW, 99999]],
])("a change of %s for programs", (_, ids) => {
  const line = (more: string) => `bug update ${ids.join(" ")} --whiteboard seen --yes ${more}`;
  const made = ids.filter((id) => id !== 99999);
  const run = (more: string) => demo()(line(more), { env: { HOME: freshFolder() } });

  test("is a row for each bug, under the same head", async () => {
    const [head, ...rows] = (await run("--format csv")).out.trimEnd().split("\r\n");
    expect([head, rows.length]).toEqual([HEAD, ids.length]);
    expect(rows.filter((row) => /^\d+,done,whiteboard: .*seen,2026-11-20T12:00:00Z,$/.test(row))).toHaveLength(
      made.length,
    );
  });

  test("has each key of its JSON as a column", async () => {
    const [row] = JSON.parse((await run("--json")).out).filter(({ id }: Row) => id === made[0]);
    expect(Object.keys(row)).toEqual(["id", "alias", "last_change_time", "changes", "result", "job"]);
    const { out } = await run(
      `--print '${Object.keys(row)
        .map((key) => `%{${key}}`)
        .join("|")}'`,
    );
    expect(out).toMatch(
      new RegExp(`^${made[0]}\\|[^|]*\\|2026-11-20T12:00:00Z\\|whiteboard: [^|]*seen\\|done\\|\\w{26}$`, "m"),
    );
  });

  test("as ids is those that were changed, each once", async () => {
    const { out } = await run("--format ids");
    expect(out.trimEnd().split("\n").map(Number)).toEqual(made);
  });
});

test.each([
  ["few", FEW],
  ["many", MANY],
])("ids of %s lack unchanged bugs, whose rows say so", async (_, ids) => {
  const run = demo();
  const env = { HOME: freshFolder() };
  const line = `bug update ${ids.join(" ")} --whiteboard seen --yes`;
  expect(await run(`${line} --print '%{id} %{result}'`, { env })).toMatchObject({ code: 0, out: lines(ids, "done") });
  expect(await run(`${line} --format ids`, { env })).toMatchObject({ code: 0, out: "" });
  expect((await run(`${line} --print '%{id} %{result}'`, { env })).out).toBe(lines(ids, "unchanged"));
});

function lines(ids: number[], result: string): string {
  return ids.map((id) => `${id} ${result}\n`).join("");
}

test.each([
  ["comment add 12 -m Seen", /^\d+$/],
  ["attachment add 12 LICENSE", /^4$/],
  ["--base-url local: group create --name triage --description Triage", /^\d+$/],
  ["bug create -p Lantern -c Editor --version 3.2 -t A -d B", /^51$/],
])("what is created is printed in each format: %s", async (line, id) => {
  const outs = new Map<string, string>();
  for (const format of [
    "--json",
    "--json=result,id",
    "-q .result",
    "--format csv",
    "--fields result",
    "--print '<%{id}>'",
    "",
  ])
    outs.set(format, (await demo()(`${line} ${format}`)).out);
  const printed = outs.get("")?.trim() ?? "";
  expect(printed).toMatch(id);
  expect(Object.fromEntries(outs)).toEqual({
    "": `${printed}\n`,
    "--json": `{"id":${printed},"result":"created"}\n`,
    "--json=result,id": `{"result":"created","id":${printed}}\n`,
    "-q .result": "created\n",
    "--format csv": `id,result\r\n${printed},created\r\n`,
    "--fields result": "created\n",
    "--print '<%{id}>'": `<${printed}>\n`,
  });
});

test("failed bugs have the job that sends them again, too", async () => {
  const { out } = await demo()("bug update 40 99999 44 --add-depends-on 44 --json --yes", {
    env: { HOME: freshFolder() },
  });
  const rows = JSON.parse(out) as { result: string; job?: string }[];
  expect(rows.map(({ result }) => result)).toEqual(["failed", "failed", "done"]);
  expect(new Set(rows.map(({ job }) => job))).toEqual(new Set([expect.any(String)]));
});

describe("a dry run for programs", () => {
  test("is one JSON text of all its requests", async () => {
    const { out } = await demo()("bug update 44 46 --add-whiteboard x --dry-run --json");
    expect(JSON.parse(out)).toMatchObject({ dry_run: true, requests: [{}], bugs: [{ id: 44 }, { id: 46 }] });
    const run = demo();
    await run("bug update 44 --set-whiteboard y");
    const several = JSON.parse((await run("bug update 44 46 --add-whiteboard x --dry-run --json")).out);
    expect(several).toMatchObject({ requests: [{ method: "PUT" }, { method: "PUT" }], bugs: [{ id: 44 }, { id: 46 }] });
  });

  const shown = async (line: string) => {
    const ran = await demo()(`${line} --dry-run --json`);
    const { bugs } = JSON.parse(ran.out) as { bugs: Row[] };
    return { code: ran.code, err: ran.err, bugs: bugs.map(({ id, result, error }) => [id, result, error?.kind]) };
  };

  test.each([
    ["few", FEW],
    ["many", MANY],
  ])("has an entry for each of %s bugs, with the reasons of those that would fail", async (_, ids) => {
    const ran = await shown(`bug update 99999 ${ids.join(" ")} 46 --add-depends-on 46`);
    expect(ran.code).toBe(10);
    expect(ran.err).toContain(`${ids.length} of ${ids.length + 2} bugs would be updated: 2 would fail`);
    expect(ran.bugs).toEqual([
      [99999, "would fail", "missing"],
      [46, "would fail", "usage"],
      ...ids.map((id) => [id, "would change", undefined]),
    ]);
  });

  test("has one for a single bug that is refused, and for bugs of which all are", async () => {
    expect(await shown("bug update 44 --status VERIFIED")).toMatchObject({
      code: 2,
      bugs: [[44, "would fail", "usage"]],
    });
    expect(await shown("bug update 44 45 --status VERIFIED")).toMatchObject({
      code: 2,
      bugs: [
        [44, "would fail", "usage"],
        [45, "would fail", "usage"],
      ],
    });
  });

  test("tells bugs that stay as they are from those that only get a comment", async () => {
    const run = demo();
    await run("bug update 44 --priority Low");
    const { out } = await run("bug update 44 45 --priority Low --dry-run --print '%{id} %{result} %{changes}'");
    expect(out).toBe("44 unchanged \n45 would change priority: Normal -> Low\n");
    const said = await run("bug update 44 -m Hello --dry-run --fields id,result,recorded");
    expect([said.code, said.out]).toEqual([0, "44\twould change\tcomment\n"]);
    const json = await run("bug update 44 -m Hello --dry-run --json=id,result,recorded,changes");
    expect(JSON.parse(json.out)["bugs"]).toEqual([
      { id: 44, result: "would change", recorded: ["comment"], changes: {} },
    ]);
  });

  test("has one list of rows for all its requests", async () => {
    const { out } = await demo()("bug update 44 46 --add-whiteboard x --dry-run --format csv");
    const [head, ...rows] = out.trimEnd().split("\r\n");
    expect([head, rows.map((row) => row.split(",").slice(0, 2))]).toEqual([
      HEAD,
      [
        ["44", "would change"],
        ["46", "would change"],
      ],
    ]);
  });
});
