import { describe, expect, test } from "vitest";
import type { Exchange } from "../../../../src/wire/exchange.ts";
import { asked, bt } from "../../../bt.ts";
import { clockOf } from "../../../clock.ts";
import { freshDemo } from "../../../fresh-demo.ts";
import { errorResponse } from "../../../servers/responses.ts";
import { demo } from "../../demo.ts";

const UNTITLED = "-p Lantern -c Editor --version 3.0 --op-sys Linux --platform PC";
const FULL = `${UNTITLED} -t 'Crop frame jumps'`;

function writes(lines: readonly string[]) {
  return lines.filter((line) => !line.startsWith("GET"));
}

describe("a bug is filed", () => {
  test("and only its id is printed, for use in scripts", async () => {
    const bt = demo();
    const { code, out, err } = await bt(`bug create ${FULL} -d 'It jumps.' --add-nothing x`);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("unknown flag --add-nothing for bug create");
    const filed = await bt(`bug create ${FULL} -d 'It jumps.' --cc mei@example.org -k crash --flag review?`);
    expect(filed.out).toMatch(/^\d+\n$/);
    const [bug] = JSON.parse((await bt(`bug get ${filed.out.trim()} --json`)).out);
    expect(bug).toMatchObject({
      product: "Lantern",
      component: "Editor",
      summary: "Crop frame jumps",
      keywords: ["crash"],
    });
    expect(bug.cc).toContain("mei@example.org");
    expect(bug.flags).toHaveLength(1);
    expect((await bt(`comment list ${filed.out.trim()} --fields text`)).out).toBe("It jumps.\n");
  });

  test("with case corrected and all values in one body", async () => {
    const ran = await demo()(
      "bug create -p lantern -c editor --version 3.0 -t x --os linux --platform pc --priority high",
    );
    expect(writes(asked(ran))).toEqual([
      'POST /rest/bug {"product":"Lantern","component":"Editor","summary":"x","version":"3.0","op_sys":"Linux","platform":"PC","priority":"High"}',
    ]);
  });

  test("without groups on request, which an empty list is, too", async () => {
    const bt = demo();
    const run = await bt(`bug create ${FULL} -d x --no-groups`);
    expect(run.requests.find(({ method }) => method === "POST")?.body).toMatchObject({ groups: [] });
    const empty = await bt(`bug create ${FULL} -d x --groups ''`);
    expect(empty).toMatchObject({ code: 2, err: expect.stringContaining("--groups is empty") });
    const both = await bt(`bug create ${FULL} -d x --no-groups --groups staff`);
    expect(both).toMatchObject({ code: 2, err: expect.stringContaining("cannot be used together") });
    expect(writes([...asked(empty), ...asked(both)])).toEqual([]);
  });

  test("with the description from stdin", async () => {
    const bt = demo();
    const { out } = await bt(`bug create ${FULL} -d -`, { stdin: "one\ntwo\n" });
    expect((await bt(`comment list ${out.trim()} --fields text`)).out).toBe("one\\ntwo\n");
  });
});

describe("nothing is filed", () => {
  test("without a description where stdin may hold one, or the rest of a loop's input: it is not read", async () => {
    const ran = await demo()(`bug create ${FULL}`, { stdin: "It crashes.\n" });
    expect([ran.code, ran.out, writes(asked(ran))]).toEqual([2, "", []]);
    expect(ran.err).toBe(
      "bt: no description, and stdin is not read\nhint: -F - reads it from stdin; --description '' files the bug without one\n",
    );
    expect(await demo()(`bug create ${FULL} -d ''`, { stdin: "43\n" })).toMatchObject({ code: 0, out: "51\n" });
  });

  test("if the component is unknown; the valid ones are listed", async () => {
    const ran = await demo()("bug create -p Harbor -c Editor --version 1.5 -t x");
    expect([ran.code, writes(asked(ran))]).toEqual([2, []]);
    expect(ran.err).toMatchInlineSnapshot(`
      "bt: unknown component "Editor" in Harbor
      hint: valid values: Accounts, API, Storage, Sync
      "
    `);
  });

  test("if required fields are missing; all are listed with their values", async () => {
    const ran = await demo()("bug create -p Harbor");
    expect([ran.code, writes(asked(ran))]).toEqual([2, []]);
    expect(ran.err).toMatchInlineSnapshot(`
      "bt: missing required fields: component, summary, version
          --component: Accounts, API, Storage, Sync
          --summary
          --version: 1.4, 1.5, main
      hint: add these flags; bt config set stores defaults
      "
    `);
  });

  test.each([
    ["a blank summary", "-t '  '", "the summary is empty"],
    ["a long summary", `-t ${"x".repeat(256)}`, "256 characters; the maximum is 255"],
    ["an unknown flag", "--flag reviw?", "did you mean review?"],
    ["an impossible deadline", "--deadline 2026-02-30", "invalid date"],
    ["an unknown priority", "--priority Urgent", "unknown priority"],
    ["an empty value", "--severity ''", "--severity is empty"],
    ["an empty stdin", "-d -", "no input on stdin"],
    ["an unknown custom field", "--field cf_nosuch=1", "unknown custom field"],
    ["a part of the label", "--field Ship=2026-12-01", "did you mean cf_ship_by?"],
    ["a standard field as a custom one", "--field priority=High", "not a custom field"],
    [
      "a status that no bug can start with",
      "--status resolved -r FIXED",
      "valid values: UNCONFIRMED, CONFIRMED, IN_PRO",
    ],
    ["a see also that is no URL", "--see-also foo", '"foo" is not a bug number or URL'],
    ["the prototype as a field", "--field __proto__=x", "unknown custom field"],
  ])("with %s", async (_, flags, message) => {
    const ran = await demo()(`bug create ${flags.startsWith("-t ") ? UNTITLED : FULL} ${flags}`);
    expect([ran.code, writes(asked(ran))]).toEqual([2, []]);
    expect(ran.err).toContain(message);
  });
});

test("a tracker without a default for a missing field: the error lists the flags and their values", async () => {
  const { exchange } = freshDemo({
    now: clockOf(),
    random: (count) => new Uint8Array(count),
  });
  const refusal = errorResponse(50, "You must select/enter a OS.");
  const strict: Exchange = async (request) => (request.method === "POST" ? refusal : exchange(request));
  const { code, err } = await bt("bug create -p Lantern -c Editor --version 3.0 -t x --priority High", {
    exchange: strict,
  });
  expect(code).toBe(3);
  expect(err).toContain("You must select/enter a OS.");
  expect(err).toContain("--op-sys: All, ");
  expect(err).toContain("--platform: All, ");
  expect(err).not.toContain("--priority");
});
