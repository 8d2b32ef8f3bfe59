import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/wire/exchange.ts";
import { btConnected, type Ran } from "../../../bt.ts";
import {
  FATES,
  type Fate,
  type Faults,
  type FaultyTracker,
  faultyTracker,
  once,
} from "../../../faults/faulty-tracker.ts";
import { jobIn, jobsOf } from "../../../faults/ran.ts";
import { freshFolder } from "../../../fresh-folder.ts";
import { demo } from "../../demo.ts";

const NUMBERS = {
  name: "Numbers",
  versions: ["2", "3", "11"],
  components: [{ name: "Sum", default_assignee: "mei@example.org" }],
};

function filed({ requests }: Ran): JsonObject {
  return requests.findLast(({ method }) => method === "POST")?.body as JsonObject;
}

/** Files a bug in a product with three versions and one component, on a terminal, by these answers. */
function create(flags: string, answers: readonly string[]): Promise<Ran> {
  return demo({ products: [NUMBERS] })(`bug create -p Numbers --os All --platform All ${flags}`, {
    terminal: true,
    login: "mei@example.org",
    answers: [...answers],
  });
}

const NO_DESCRIPTION = "";
const SUBMIT = "Submit";

describe("on a terminal a missing required value", () => {
  test("is chosen from a list, and told with its name", async () => {
    const ran = await create("-c Sum -t x", ["4", "3", NO_DESCRIPTION, SUBMIT]);
    expect([ran.code, filed(ran)["version"]]).toEqual([0, "3"]);
    expect(ran.err).toContain('no match for "4"');
    expect(ran.err).toContain("version: version: 3\n"); // the prompt, then the choice
  });

  test("is the only valid one, which is reported", async () => {
    const ran = await create("-t x --version 3", [NO_DESCRIPTION, SUBMIT]);
    expect([ran.code, filed(ran)["component"]]).toEqual([0, "Sum"]);
    expect(ran.err).toContain("component: Sum (the only one)\n");
  });
});

test("a bug with all required flags is filed without a prompt", async () => {
  expect(await create("-c Sum --version 3 -t x", [])).toMatchObject({ code: 0 });
});

test("a description is typed, and --dry-run shows the request without a review", async () => {
  const ran = await create("-c Sum --version 3", ["A crash", "Steps: none", SUBMIT]);
  expect(filed(ran)).toMatchObject({ summary: "A crash", description: "Steps: none" });
  const dry = await create("-c Sum --version 3 --dry-run", ["A crash"]);
  expect([dry.code, filed(dry)]).toEqual([0, undefined]);
  expect(dry.out + dry.err).toContain("A crash");
});

describe("the review of a new bug", () => {
  const reviewed = (...answers: readonly string[]) =>
    create("-c Sum --version 3", ["A crash", NO_DESCRIPTION, ...answers, SUBMIT]);

  test("shows all fields, and edits one of them", async () => {
    const ran = await reviewed("Edit a field", "summary", "Another crash");
    expect(filed(ran)["summary"]).toBe("Another crash");
    expect(ran.err).toContain("\nproduct      Numbers\ncomponent    Sum\n");
    expect(ran.err).toContain("\nsummary      Another crash\n");
  });

  test("adds fields: by their values, users as the tracker finds them, and several of a list", async () => {
    const ran = await reviewed(
      ...["Edit a field", "severity", "critical"],
      ...["Edit a field", "assigned to", "ada", "1"],
      ...["Edit a field", "cc", "@me"],
      ...["Edit a field", "cc", "ada", "1"],
      ...["Edit a field", "depends on", "1, 2"],
    );
    const { assigned_to, cc, ...body } = filed(ran);
    expect([ran.code, body]).toMatchObject([0, { severity: "critical", depends_on: [1, 2] }]);
    expect(assigned_to).toMatch(/^ada.*@/);
    expect(cc).toEqual(["mei@example.org", assigned_to]);
  });

  test("adds values of a custom list, also of a bug that is cloned: a value may have a comma", async () => {
    const values = ["camera, old", "phone"];
    const run = demo({ fields: [{ name: "cf_kit", type: "multiSelect", values }] });
    const added = values.flatMap((value) => ["Edit a field", "cf_kit", value]);
    const create = "bug create -p Lantern -c Library --version 3.1";
    const ran = await run(create, { terminal: true, answers: ["A crash", NO_DESCRIPTION, ...added, SUBMIT] });
    expect(filed(ran)["cf_kit"]).toEqual(values);
    expect(filed(await run(`bug clone ${ran.out.split("/").at(-1)}`))["cf_kit"]).toEqual(values);
  });

  test("shows an invalid value, and stays", async () => {
    const ran = await reviewed(
      ...["Edit a field", "deadline", "someday", SUBMIT, "Edit a field", "deadline", "2026-12-01"],
    );
    expect(ran.err).toMatch(/bt: .*someday/);
    expect(filed(ran)["deadline"]).toBe("2026-12-01");
    expect(ran.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  test("sends nothing when it is cancelled", async () => {
    const ran = await reviewed("Cancel");
    expect([ran.code, filed(ran)]).toEqual([1, undefined]);
    expect(ran.err).toContain("bt: nothing sent\n");
  });

  test("keeps a typed description as a draft when it is cancelled", async () => {
    const { tracker, home, run } = await person();
    const left = await run(LINE, ["A crash", "Steps", "Cancel"]);
    expect([left.code, tracker.writes(), jobsOf(home, "open")]).toEqual([1, [], [`${jobIn(left.err)}.jsonl`]]);
  });

  test("prompts for component and version again when the product is changed", async () => {
    const milestone = ["Edit a field", "target milestone", "---"];
    const ran = await reviewed(...milestone, "Edit a field", "product", "Lantern", "Library", "3.1");
    expect([ran.code, filed(ran)]).toMatchObject([0, { product: "Lantern", component: "Library", version: "3.1" }]);
    expect(filed(ran)).not.toHaveProperty("target_milestone");
  });

  test("begins with the value that is set, which stays", async () => {
    const same = await reviewed("Edit a field", "product", "1", "Edit a field", "version", "1");
    expect(same.err).toMatch(/Numbers \(current\)[\s\S]*\b3 \(current\)/);
    expect(filed(same)).toMatchObject({ product: "Numbers", component: "Sum", version: "3" });
  });
});

/** Refuses the first writes. */
function refusing(code: number, most = 1): Faults {
  const body = JSON.stringify({ error: true, code, message: "You may not" });
  const head = `HTTP/1.1 400 No\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  const refuse: Fate = ({ socket }) => void socket.write(`${head}\r\n\r\n${body}`);
  return { write: (incident) => (incident.count <= most ? refuse(incident) : incident.pass()) };
}

/** One person at one terminal, whose tracker may fail. */
async function person(faults: Faults = {}) {
  const [tracker, home] = [await faultyTracker(faults), freshFolder()];
  const run = (line: string, answers?: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    btConnected(line, {
      env: { ...tracker.env, HOME: home, ...env },
      waits: [],
      ...(answers ? { terminal: true, answers: [...answers] } : {}),
    });
  return { tracker, home, run };
}

/** The bugs that were sent to a tracker. */
function bodies(tracker: FaultyTracker): readonly JsonObject[] {
  return tracker.writes().map(({ body }) => JSON.parse(String(body)));
}

const LINE = "bug create -p Lantern -c Library --version 3.2";

describe("what was typed survives", () => {
  test("a prompt that is left: the draft is completed by prompts, and sent", async () => {
    const { tracker, home, run } = await person();
    const left = await run("bug create -p Lantern", ["Library"]);
    expect([left.code, tracker.writes(), jobsOf(home, "open")]).toEqual([2, [], [`${jobIn(left.err)}.jsonl`]]);
    expect(left.err).toContain("your bug is kept as a draft; bt job send");
    const job = jobIn(left.err);
    expect(await run(`job send ${job}`)).toMatchObject({ code: 2, err: expect.stringContaining("summary, version") });
    const again = await run(`job send ${job}`, ["3.2"]);
    expect([again.code, jobIn(again.err)]).toEqual([2, job]);
    const sent = await run(`job send ${job}`, ["A crash", NO_DESCRIPTION, SUBMIT]);
    expect([sent.code, jobsOf(home, "open")]).toEqual([0, []]);
    expect(bodies(tracker).at(-1)).toMatchObject({
      ...{ product: "Lantern", component: "Library", version: "3.2", summary: "A crash" },
    });
  });

  test("on another tracker than the configured one: the job knows its own", async () => {
    const around = { env: { HOME: freshFolder() }, terminal: true };
    const form = ["3.2", "A crash", NO_DESCRIPTION];
    const line = "bug create -p Lantern -c Library --base-url demo:";
    const kept = await btConnected(line, { ...around, answers: [...form, "Keep as a draft"] });
    await btConnected("config set base_url https://bugs.example.org", around);
    const sent = await btConnected(`job send ${jobIn(kept.err)}`, { ...around, answers: [NO_DESCRIPTION, SUBMIT] });
    expect(sent).toMatchObject({ code: 0, out: "51\n", err: expect.stringContaining("created bug 51\n") });
  });

  test.each([
    [
      "a probable duplicate that is not filed",
      `${LINE} -t 'Album of a shared library shows the wrong owner after a sync' -e`,
      ["n"],
      1,
    ],
    ["a mistyped value", "bug create -p Lantern -c Libary --version 3.2 -t Crop -e", [], 2],
    ["missing fields without prompts", `${LINE} -e`, undefined, 2],
  ])("a text from the editor: %s", async (_, line, answers, code) => {
    const { tracker, home, run } = await person();
    const path = join(home, "path");
    const env = { EDITOR: `sh -c 'echo "$1" > ${path}; echo Steps > "$1"' editor`, PATH: "/usr/bin:/bin" };
    const left = await run(line, answers ?? [], answers ? env : { ...env, BT_PROMPTS: "off" });
    expect([left.code, tracker.writes(), jobsOf(home, "open")]).toEqual([code, [], [`${jobIn(left.err)}.jsonl`]]);
    expect(left.err).not.toContain("saved in");
    expect(existsSync(readFileSync(path, "utf8").trim())).toBe(false);
    expect(JSON.parse((await run(`job show ${jobIn(left.err)} --json`)).out)).toMatchObject([
      { writes: [{ request: { body: { product: "Lantern", description: "Steps" } } }] },
    ]);
  });

  test("but not of flags alone, which the shell has", async () => {
    const { home, run } = await person();
    const left = await run(
      `${LINE} -t 'Album of a shared library shows the wrong owner after a sync' --description x`,
      ["n"],
    );
    expect([left.code, left.err, jobsOf(home, "open")]).toEqual([1, expect.stringContaining("nothing sent"), []]);
  });

  test("a draft with all that is required: a terminal shows it again, a pipe sends it once it has a description", async () => {
    const { tracker, run } = await person();
    const job = `job send ${jobIn((await run(LINE, ["A crash"])).err)}`;
    expect(await run(job)).toMatchObject({ code: 2, err: expect.stringContaining("lacks a description\n") });
    expect(await run(job, ["Steps", "Edit a field", "summary", "A freeze"])).toMatchObject({
      code: 2,
    });
    expect(tracker.writes()).toEqual([]);
    expect(await run(job)).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\n$/), err: "" });
    expect(bodies(tracker)).toMatchObject([{ summary: "A freeze", description: "Steps" }]);
  });

  test("a refusal: the review stays open", async () => {
    const { tracker, run } = await person(refusing(107));
    const sent = await run(LINE, ["A crash", NO_DESCRIPTION, SUBMIT, "Edit a field", "summary", "A freeze", SUBMIT]);
    expect(sent).toMatchObject({ code: 0, err: expect.stringContaining("You may not") });
    expect(bodies(tracker).map(({ summary }) => summary)).toEqual(["A crash", "A freeze"]);
  });

  test("a refused draft: it stays one, and its review stays open", async () => {
    const { tracker, home, run } = await person(refusing(107, 2));
    const job = jobIn((await run(LINE, ["A crash", "Steps"])).err);
    const refused = await run(`job send ${job}`);
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining(`bt job send ${job} opens it`) });
    expect(JSON.parse((await run("job list --json")).out)).toMatchObject([{ job, status: "draft" }]);
    const sent = await run(`job send ${job}`, [SUBMIT, "Edit a field", "summary", "A freeze", SUBMIT]);
    expect([sent.code, jobsOf(home, "open")]).toEqual([0, []]);
    expect(bodies(tracker).map(({ summary }) => summary)).toEqual(["A crash", "A crash", "A freeze"]);
  });

  test("a lost connection: the job is resumed, and there is no second one", async () => {
    const { tracker, home, run } = await person({ write: once(FATES.badGatewayBefore) });
    const lost = await run(LINE, ["A crash", NO_DESCRIPTION, SUBMIT]);
    expect([lost.code === 0, jobsOf(home, "open")]).toEqual([false, [`${jobIn(lost.err)}.jsonl`]]);
    expect(await run(`job send ${jobIn(lost.err)} --yes`)).toMatchObject({ code: 0 });
    expect(tracker.count("SELECT count(*) FROM bugs WHERE summary = 'A crash'")).toBe(1);
  });

  test.each([
    ["is left", ["A crash"]],
    ["is submitted", ["A crash", "Steps", SUBMIT]],
  ])("even without a journal, as text: the form %s", async (_, answers) => {
    const { home, run } = await person();
    mkdirSync(join(home, ".local/state/bt"), { recursive: true });
    writeFileSync(join(home, ".local/state/bt/jobs"), "in the way");
    const left = await run(LINE, answers);
    expect(left.err).toContain("could not be kept as a draft: cannot write");
    for (const typed of answers.slice(0, 2)) expect(left.err).toContain(`"${typed}"`);
  });
});

describe("without prompts missing fields are an error, as in a pipe", () => {
  const refused = { code: 2, err: expect.stringContaining("missing required fields: summary") };

  test("by BT_PROMPTS", async () => {
    const { run } = await person();
    expect(await run(LINE, [], { BT_PROMPTS: "off" })).toMatchObject(refused);
  });

  test("by the setting, which BT_PROMPTS overrides", async () => {
    const { run } = await person();
    expect(await run("config set prompts off")).toMatchObject({ code: 0 });
    expect(await run(LINE, [])).toMatchObject(refused);
    const answers = ["A crash", NO_DESCRIPTION, SUBMIT];
    expect(await run(LINE, answers, { BT_PROMPTS: "on" })).toMatchObject({ code: 0 });
  });
});
