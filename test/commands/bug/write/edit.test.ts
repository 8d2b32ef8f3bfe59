import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path, { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import type { Exchange, Request } from "../../../../src/wire/exchange.ts";
import { bt, type Ran, updates } from "../../../bt.ts";
import { freshDemo } from "../../../fresh-demo.ts";
import { freshFolder } from "../../../fresh-folder.ts";
import { demo } from "../../demo.ts";

const NOW = "2026-11-20T12:00:00Z";

/** An editor that runs a line of shell each time, with the document as "$1", and keeps a copy of what it was given. */
function editor(...lines: readonly string[]) {
  const folder = freshFolder();
  const script = path.join(folder, "editor");
  const cases = lines.map((line, at) => `${at + 1}) ${line} ;;`).join("\n");
  writeFileSync(
    script,
    `n=$(ls "${folder}" | grep -c seen); n=$((n + 1)); cp "$1" "${folder}/seen$n"; case $n in\n${cases}\nesac\n`,
  );
  const seen = (count: number) => {
    const file = path.join(folder, `seen${count}`);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  };
  return { env: { EDITOR: `sh ${script}`, PATH: "/usr/bin:/bin" }, seen };
}

/** Shell that replaces the line of a field. */
function set(name: string, text: string): string {
  return `sed -i 's|^${name}:.*|${name}: ${text}|' "$1"`;
}

/** Runs a line on a fresh demo, on which others change bugs once the document is written. */
async function meanwhile(line: string, lines: readonly string[], others: readonly Pick<Request, "path" | "body">[]) {
  const { exchange, login } = freshDemo({ now: () => new Date(NOW), random: (count) => new Uint8Array(count) });
  const written = editor(...lines);
  let isDone = false;
  const raced: Exchange = async (request) => {
    if (!isDone && written.seen(1) !== undefined) {
      isDone = true;
      for (const other of others) await exchange({ method: "PUT", query: [], ...other });
    }
    return exchange(request);
  };
  const answers = lines.slice(1).map(() => "y");
  const ran = await bt(line, { exchange: raced, login, now: NOW, terminal: true, env: written.env, answers });
  return { ran, seen: written.seen };
}

function discard({ err }: Ran): void {
  const [, kept = ""] = /your text is saved in\s+(\S+)/.exec(err) ?? [];
  if (kept !== "") rmSync(dirname(kept), { recursive: true });
}

describe("bt bug edit", () => {
  test("sends the changed fields and the comment below the last line in one request", async () => {
    const { env } = editor(
      `${set("priority", "high")}; ${set("keywords", "crash, regression")}; printf '\\n# Heading\\nText.\\n' >> "$1"`,
    );
    const ran = await demo()("bug edit 44", { terminal: true, env });
    expect([ran.code, ran.err, updates(ran)]).toEqual([
      0,
      "",
      [
        {
          ...{ ids: [44], priority: "High" },
          keywords: { add: ["crash"], remove: ["good-first-bug"] },
          comment: { body: "# Heading\nText." },
        },
      ],
    ]);
    expect(ran.out).toContain("Normal → High");
  });

  test("clears what is emptied, adds to lists, and takes names as people type them", async () => {
    const run = demo();
    await run("bug update 4 --deadline 2026-12-01 --qa-contact mei@example.org");
    const { env } = editor(
      [
        set("deadline", ""),
        set("qa_contact", ""),
        set("assigned_to", "@me"),
        set("cc", "ada@example.org"),
        set("depends_on", "12, 14"),
      ].join("; "),
    );
    const ran = await run("bug edit 4", { terminal: true, env, login: "mei@example.org" });
    expect([ran.code, updates(ran)]).toEqual([
      0,
      [
        {
          ...{ ids: [4], deadline: "", qa_contact: "", assigned_to: "mei@example.org" },
          ...{ cc: { add: ["ada@example.org"], remove: [] }, depends_on: { add: [12, 14], remove: [] } },
        },
      ],
    ]);
  });

  test("reopens a bug, which loses its resolution; a summary cannot be emptied", async () => {
    const { env } = editor(`${set("status", "CONFIRMED")}; ${set("resolution", "")}; ${set("dupe_of", "")}`);
    const ran = await demo()("bug edit 4", { terminal: true, env });
    expect([ran.code, updates(ran)]).toEqual([0, [{ ids: [4], status: "CONFIRMED" }]]);
    const around = { terminal: true, env: editor(set("summary", "")).env, answers: ["n"] };
    const refused = await demo()("bug edit 44", around);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("summary cannot be empty")]);
    discard(refused);
  });

  test.each([
    ["true", "bt: the document is unchanged; nothing sent\n"],
    [`: > "$1"`, "bt: the document is empty; nothing sent\n"],
    [`sed -i 's/$/ /' "$1"`, "bt: the document is unchanged; nothing sent\n"],
    [`sed -i '/^[a-z]/d' "$1"`, "bt: the document is unchanged; nothing sent\n"],
  ])("sends nothing after %s", async (line, err) => {
    const ran = await demo()("bug edit 44", { terminal: true, env: editor(line).env });
    expect([ran.code, ran.err, updates(ran)]).toEqual([1, err, []]);
  });

  test("keeps the text, with the reason in it, if it is not edited again", async () => {
    const { env, seen } = editor(set("priority", "Hihg"));
    const ran = await demo()("bug edit 44", { terminal: true, env, answers: ["n"] });
    expect([ran.code, updates(ran), seen(2)]).toEqual([2, [], undefined]);
    expect(ran.err).toMatch(/unknown priority "Hihg".*edit again.*bt: nothing sent\n.*your text is saved in/s);
    const [, kept = ""] = /saved in (\S+);/.exec(ran.err) ?? [];
    expect(readFileSync(kept, "utf8")).toMatch(/^# error: unknown priority[\s\S]*\npriority: Hihg\n/);
    discard(ran);
  });

  test("ends with the first error without prompts", async () => {
    const { env, seen } = editor(set("priority", "Hihg"));
    const ran = await demo()("bug edit 44", { terminal: true, env: { ...env, BT_PROMPTS: "off" } });
    expect([ran.code, updates(ran), seen(2)]).toEqual([2, [], undefined]);
    expect(ran.err).toMatch(/^bt: unknown priority "Hihg".*your text is saved in/s);
    discard(ran);
  });
});

describe("changes by another user while the document is open", () => {
  test("to other fields stay", async () => {
    const { ran } = await meanwhile(
      "bug edit 44",
      [`${set("priority", "High")}; ${set("keywords", "")}`],
      [{ path: "/rest/bug/44", body: { whiteboard: "theirs", keywords: { remove: ["regression"], add: ["crash"] } } }],
    );
    expect([ran.code, updates(ran)]).toEqual([
      0,
      [{ ids: [44], priority: "High", keywords: { add: [], remove: ["good-first-bug", "regression"] } }],
    ]);
  });

  test("to the same field are named, with both values", async () => {
    const theirs = [{ path: "/rest/bug/44", body: { priority: "Low" } }];
    const { ran } = await meanwhile("bug edit 44", [set("priority", "High")], theirs);
    expect([ran.code, updates(ran)]).toEqual([0, [{ ids: [44], priority: "High" }]]);
    expect(ran.err).toMatch(/^note: overwrote a newer change: .*Low/);
  });

  test("to any field end with exit code 11 with --if-unchanged", async () => {
    const others = [{ path: "/rest/bug/44", body: { whiteboard: "theirs" } }];
    const { ran } = await meanwhile("bug edit 44 --if-unchanged", [set("priority", "High")], others);
    expect([ran.code, updates(ran)]).toEqual([11, []]);
    discard(ran);
  });
});

test("what the tracker refuses opens the document again, and the saved text is sent by the line below it", async () => {
  const run = demo();
  const { env, seen } = editor(`${set("priority", "High")}; ${set("assigned_to", "mie@example.org")}`);
  const ran = await run("bug edit 44", { terminal: true, env, answers: ["y"] });
  expect(ran.code).toBe(2);
  expect(seen(2)).toMatch(/^# error: There is no user named 'mie@example.org'/);
  const [, file = "", command = "", sends] =
    /saved in (\S+); to\s+send it:\n {4}BT_EDITOR='(.*)'\s+bt (.*)\n/.exec(ran.err) ?? [];
  expect([command, sends]).toEqual([`cp ${file}`, "bug edit 44"]);
  writeFileSync(file, readFileSync(file, "utf8").replaceAll("mie@", "mei@"));
  const again = await run("bug edit 44", { terminal: true, env: { ...process.env, BT_EDITOR: command } });
  expect([again.code, updates(again)]).toEqual([0, [expect.objectContaining({ priority: "High" })]]);
  discard(ran);
});
