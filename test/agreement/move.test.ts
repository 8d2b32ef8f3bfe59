import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/wire/exchange.ts";
import { btConnected } from "../bt.ts";
import { machineClock } from "../clock.ts";
import { freshFolder } from "../fresh-folder.ts";
import { homeFolders } from "../mirrored.ts";
import { demoServer } from "../servers/demo-server.ts";

// `BT_BASE_URL=https://bugs.example.org BT_API_KEY=... npm run compare:move` moves bugs of a local tracker into a new product
// of any server, and back; the account has to be one that may create products. Without COMPARE=1 the server is the demo.
const { COMPARE, BT_BASE_URL = "", BT_API_KEY = "" } = process.env;

const MINUTES = 60_000;

/** The demo with an account that may do everything. */
async function demo() {
  const { url, key, store } = await demoServer();
  const own = key();
  store.run("INSERT OR IGNORE INTO group_members (group_id, user_id, kind) SELECT id, 2, 'member' FROM groups");
  return { url, key: own };
}

const NEW = "bug create -p Project -c General --version unspecified";

/** A team's bugs: links, a duplicate, a closed one, an attachment, and texts about others and about comments. */
const TEAM = [
  `${NEW} -t 'The kettle does not whistle' -d 'It did on Monday, größer than «before».' --priority High`,
  `${NEW} -t 'The kettle leaks' -d 'As bug 1 comment 1 says; bug 999 is another one.'`,
  `${NEW} -t 'No whistle' -d 'The same.'`,
  "comment add 1 -m 'Seen again, see comment 0 and bugs 2, 3.'",
  "attachment add 1 - -m 'Listen.' --summary 'A recording' --file-name whistle.txt",
  "bug update 2 --depends-on +1",
  "bug dup 3 1",
  "bug close 2 --as FIXED -m 'Tight now.'",
];

/** A tracker in a file, and a server; each is what `bt` is configured for. */
async function desk() {
  const home = freshFolder();
  const { url, key } = COMPARE ? { url: BT_BASE_URL, key: BT_API_KEY } : await demo();
  const now = machineClock.now().toISOString();
  const product = `Move ${now}`;
  writeFileSync(join(home, "map.json"), JSON.stringify({ product: { Project: product } }));
  const run = async (line: string, env: Readonly<Record<string, string>>) => {
    const { code, out, err } = await btConnected(line, {
      env: { ...homeFolders(home), ...env },
      now,
      stdin: "tweet\n",
    });
    expect([line, code, err]).toEqual([line, 0, err]);
    return out;
  };
  const team = `local:${join(home, "team.db")}`;
  const back = `local:${join(home, "back.db")}`;
  const onServer = { BT_BASE_URL: url, BT_API_KEY: key };
  return {
    ...{ team, back, product },
    at: (BT_BASE_URL: string, line: string) => run(line, { BT_BASE_URL }),
    toServer: () =>
      run(
        `migrate run --from ${team} --to ${url} --map ${home}/map.json --yes --results ${home}/moved.jsonl`,
        onServer,
      ),
    fromServer: () => run(`migrate run --from ${url} --to ${back} --yes -p '${product}'`, onServer),
  };
}

/** Old and new numbers of a move's table, and its results. */
function tableOf(out: string): readonly (readonly [old: number, now: number, result: string])[] {
  const lines = out.trimEnd().split("\n");
  return lines.map((line) => line.split("\t")).map(([old, now, result = ""]) => [Number(old), Number(now), result]);
}

const FIELDS = "summary,status,resolution,priority,dupe_of,depends_on,blocks";

test(
  "a team's bugs move to a server and from there to another local tracker, and new ones follow",
  async () => {
    const { team, back, product, at, toServer, fromServer } = await desk();
    for (const line of TEAM) await at(team, line);
    const there = tableOf(await toServer());
    expect(there.map(([old, , result]) => [old, result])).toEqual([1, 2, 3].map((id) => [id, "moved"]));
    const here = tableOf(await fromServer());
    expect(here.map(([old, , result]) => [old, result])).toEqual(there.map(([, now]) => [now, "moved"]));
    const ids = new Map(there.map(([old], place) => [old, here[place]?.[1] ?? 0]));
    const nowOf = (old: number) => ids.get(old) ?? 0;

    const bugsOf = async (address: string, of: readonly number[]) =>
      JSON.parse(await at(address, `bug get ${of.join(" ")} --json=${FIELDS}`)) as readonly JsonObject[];
    const renumbered = (value: Json): Json => (Array.isArray(value) ? value.map((id) => nowOf(Number(id))) : value);
    const before = (await bugsOf(team, [1, 2, 3])).map((bug) => ({
      ...bug,
      ...{ depends_on: renumbered(bug["depends_on"] ?? []), blocks: renumbered(bug["blocks"] ?? []) },
      ...(bug["dupe_of"] ? { dupe_of: nowOf(Number(bug["dupe_of"])) } : {}),
    }));
    expect(await bugsOf(back, [1, 2, 3].map(nowOf))).toEqual(before);

    const texts = await at(back, `comment list ${nowOf(1)} ${nowOf(2)} --json --jq '.[].text'`);
    const moved = (old: number) => `${there[old - 1]?.[1]} (was ${old})`;
    expect(texts).toContain("It did on Monday, größer than «before».");
    expect(texts).toContain(`bug ${there[0]?.[1]} comment 1 (was 1#c1) says; bug no. 999 (old number) is another one.`);
    expect(texts).toContain(`see comment 0 and bugs ${moved(2)}, ${moved(3)}.`);
    expect(texts).toMatch(/\[local no\. 1: reported by owner@localhost, [-\d: ]+ UTC\]/);
    const [file] = JSON.parse(await at(back, `attachment list ${nowOf(1)} --json`));
    expect(file).toMatchObject({ file_name: "whistle.txt", summary: "A recording", size: 6 });
    expect(await at(back, `attachment download ${file.id}`)).toBe("tweet\n");

    await at(team, "comment add 1 -m 'And on Tuesday.'");
    await at(team, `${NEW} -t 'A fourth' -d Text`);
    const results = ["updated", "unchanged", "unchanged", "moved"];
    expect(tableOf(await toServer()).map(([, , result]) => result)).toEqual(results);
    expect(tableOf(await fromServer()).map(([, , result]) => result)).toEqual(results);
    const again = await at(back, `bug search --product '${product}' --all --json=summary --jq '.[].summary'`);
    expect(again.trimEnd().split("\n").sort()).toHaveLength(4);
    expect((await at(back, `comment list ${nowOf(1)}`)).match(/And on Tuesday/g)).toHaveLength(1);
  },
  10 * MINUTES,
);
