import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { partition } from "../../src/api/lists.ts";
import { TREE } from "../../src/commands/tree.ts";
import type { Exchange, JsonObject, Request } from "../../src/wire/exchange.ts";
import type { ChangedBug } from "../../src/wire/resources.ts";
import { demoWithExchange } from "../commands/demo.ts";
import { freshFolder } from "../fresh-folder.ts";

/** Verbs with --dry-run whose results have no changes of what there was before. */
const NO_CHANGES: Readonly<Record<string, string>> = {
  "bug create": "files a bug",
  "bug clone": "files a bug",
  "bug triage": "asks for keys; each sends what bug update sends",
  "comment add": "the change of a bug is a comment",
  "attachment add": "adds an attachment",
  "tag update": "responses have the tags of a comment",
  "group create": "creates a group",
};

/** Fields of which only the tracker knows the new value, by the flag: default assignees, and requestees, who get on CC. */
const BY_THE_TRACKER: Readonly<Record<string, string>> = {
  "--reset-assigned-to": "assigned_to",
  ...{ "--flags": "cc", "--from mei": "cc" },
};

/** A change of each kind of field by each verb, and what was done before. */
const LINES: readonly (readonly [line: string, ...before: string[]])[] = [
  ["bug update 44 --priority High --severity critical --summary New --url https://example.org/ --version 3.0"],
  ["bug update 44 --whiteboard '[a] [b]' --set-keywords perf --alias plants --deadline 2027-01-01"],
  ["bug update 44 --add-whiteboard [c] --remove-whiteboard [b]", "bug update 44 --whiteboard '[a] [b]'"],
  ["bug update 44 --add-keywords crash --remove-keywords perf", "bug update 44 --set-keywords perf,regression"],
  [
    "bug update 44 --add-cc @me --add-blocks 48 --add-depends-on 49 --add-see-also https://github.com/example/plants/issues/1",
  ],
  ["bug update 44 --estimated-time 3 --remaining-time 2.5 --work-time 1 -m Done"],
  ["bug update 44 --qa-contact '' --assigned-to mei@example.org --is-cc-accessible no"],
  ["bug update 44 --flags review?,needinfo?(mei@example.org)"],
  ["bug update 44 --reset-assigned-to --reset-qa-contact", "bug update 44 -a mei@example.org"],
  ["bug update 44 -p Harbor -c API --bug-version 1.5 --milestone ---"],
  ["bug update 12 --resolution WONTFIX"],
  ["bug update 12 --status VERIFIED --resolution INVALID"],
  ["bug update 12 --resolution FIXED", "bug dup 12 44"],
  ["bug update 12 --status CONFIRMED", "bug dup 12 44"],
  ["bug update 44 46 --status IN_PROGRESS"],
  ["bug update 44 --dupe-of 48 --status RESOLVED --resolution DUPLICATE"],
  ["bug update 1 2 3 4 5 6 8 9 10 11 13 14 15 16 19 21 22 24 27 29 31 33 36 44 --status CONFIRMED --yes"],
  ["bug close 44 12 46 --as WONTFIX", "bug update 44 --remaining-time 2"],
  ["bug reopen 12 47"],
  ["bug confirm 46"],
  ["bug dup 44 48"],
  ["bug dup 12 48"],
  ["bug dup 12 48", "bug dup 12 44"],
  ["bug take 44 46 --start"],
  ["bug needinfo 44 48 --from mei@example.org"],
  ["bug answer 44 -m Yes", "bug needinfo 44 --from @me"],
  ["bug undo 44", "bug update 44 --priority High --add-cc mei@example.org"],
  ["bug undo 12", "bug reopen 12"],
  ["bug undo 44", "bug dup 44 48"],
  ["bug edit 44"],
  ["bug import bugs.csv --yes"],
  ["attachment update 2 3 --obsolete yes --summary New --flags review?"],
  ["group update staff --description New"],
];

/** Lines of the other verbs, which send a POST, or several requests. */
const OTHER_LINES: typeof LINES = [
  ["bug create -p Lantern -c Editor --version 3.0 --os All --platform All -t New --description Text --priority Low"],
  ["bug clone 44"],
  ["comment add 44 -m Hello"],
  ["attachment add 44 bugs.csv"],
  ["tag update 44#0 --add plants"],
  ["group create --name writers --description New"],
];

test.each(LINES)("what a dry run shows is a part of what the change reports: %s", async (line, ...before) => {
  const { plan, change } = await twoRuns(line, before);
  const [planned, done] = [await plan(), await change(" --json")];
  const code = line.startsWith("bug undo") && before.some((one) => one.startsWith("bug dup")) ? 10 : 0; // a comment stays
  expect([planned.code, done.code], planned.err + done.err).toEqual([code, code]);
  const shown = changesIn(planned.out, line);
  expect(Object.keys(shown)).not.toEqual([]);
  expect(changesIn(done.out, line)).toMatchObject(shown);
});

test.each([...LINES, ...OTHER_LINES])(
  "no command sends a write that its dry run does not show, whatever the tracker makes of it: %s",
  async (line, ...before) => {
    const { plan, change } = await twoRuns(line, before);
    const planned: Request[] = requestsIn((await plan()).out);
    const done = await change("", meddlesome);
    const sent = done.requests.filter(({ method }) => method !== "GET");
    const isImport = line.startsWith("bug import"); // shows values
    const texts = ({ method, path, body }: Request) => {
      const { data: _, ...values } = Object(body) as JsonObject; // a file is not shown
      return JSON.stringify([method, path, isImport || values]);
    };
    expect(sent, done.err).not.toEqual([]);
    expect(planned.map(texts)).toEqual(expect.arrayContaining(sent.map(texts)));
    expect(sent.length).toBeLessThanOrEqual(planned.length);
  },
);

/** The requests that a dry run shows, or that follow from the bugs that it would change. */
function requestsIn(out: string): Request[] {
  const output = JSON.parse(out);
  return output.requests ?? output.map(({ id }: ChangedBug) => ({ method: "PUT", path: `/rest/bug/${id}`, query: [] }));
}

/** The tracker, but an update drops a value, adds another, and reports a third as set back to what it was before. */
function meddlesome(exchange: Exchange): Exchange {
  return async (request) => {
    if (request.method !== "PUT" || !request.path.startsWith("/rest/bug/")) return exchange(request);
    const [ids, [, ...values]] = partition(Object.entries(request.body as JsonObject), ([name]) => name === "ids");
    const body = Object.fromEntries([...ids, ...values, ["url", "http://added.example/"]]);
    const response = await exchange({ ...request, body });
    const reverted = '"changes":{"op_sys":{"removed":"Windows","added":"All"},';
    return { ...response, body: response.body.replaceAll('"changes":{', reverted).replaceAll(",}", "}") };
  };
}

/** A line as a dry run and as it is, on a tracker where other lines were run before. */
async function twoRuns(line: string, before: readonly string[]) {
  const folder = freshFolder();
  writeFileSync(
    join(folder, "editor"),
    `sed -i -e 's/^priority:.*/priority: Low/' -e 's/^status:.*/status: CONFIRMED/' "$1"\n`,
  );
  writeFileSync(
    join(folder, "bugs.csv"),
    "id,priority,status,keywords\n44,Low,IN_PROGRESS,\n12,High,CONFIRMED,crash\n",
  );
  const env = { HOME: folder, EDITOR: `sh ${folder}/editor`, PATH: "/usr/bin:/bin" };
  const { run, exchange } = demoWithExchange();
  for (const one of before) expect(await run(one, { env })).toMatchObject({ code: 0 });
  const there = line.replace("bugs.csv", `${folder}/bugs.csv`);
  const terminal = line.startsWith("bug edit");
  return {
    plan: () => run(`${there} --dry-run --json`, { env, terminal }),
    change: (flags: string, meddle: (exchange: Exchange) => Exchange = (one) => one) =>
      run(`${there}${flags}`, { env, terminal, exchange: meddle(exchange) }),
  };
}

test("every verb with --dry-run is compared, or has no changes", () => {
  const verbs = TREE.nouns.flatMap((noun) =>
    noun.verbs
      .filter(({ flags }) => flags().some(({ name }) => name === "dry-run"))
      .map((verb) => `${noun.name} ${verb.name}`),
  );
  const compared = LINES.map(([line]) => line.split(" ").slice(0, 2).join(" "));
  expect(new Set([...compared, ...Object.keys(NO_CHANGES)])).toEqual(new Set(verbs));
});

/** The changes of each bug in an output, hours as numbers: trackers write them with two digits or as they were sent. */
function changesIn(out: string, line: string): Record<number, object> {
  const output = JSON.parse(out);
  const items: Partial<ChangedBug>[] = Array.isArray(output) ? output : (Object.values(output).at(-1) as []);
  const found: Record<number, Record<string, object>> = {};
  for (const { id = 0, changes = {} } of items) {
    found[id] = {};
    for (const [name, { removed, added }] of Object.entries(changes)) {
      if (Object.entries(BY_THE_TRACKER).some(([flag, field]) => field === name && line.includes(flag))) continue;
      const isHours = name.endsWith("_time");
      found[id][name] = isHours ? { removed: Number(removed), added: Number(added) } : { removed, added };
    }
  }
  return found;
}
