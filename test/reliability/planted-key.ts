import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { TREE } from "../../src/commands/tree.ts";
import type { Verb } from "../../src/commands/verb.ts";
import type { Request } from "../../src/wire/exchange.ts";
import { MINUTE_MS } from "../../src/wire/time.ts";
import { btConnected, words } from "../bt.ts";
import { start } from "../faults/child.ts";
import { type Faults, type FaultyTracker, faultyTracker, type Incident } from "../faults/faulty-tracker.ts";
import { jobIn } from "../faults/ran.ts";
import { addApiKey } from "../servers/api-key.ts";
import { answer, faultServer } from "../servers/fault-server.ts";
import { MISFORTUNES } from "./misfortunes.ts";
import { filesIn, KEY, keyIn, type Planted, planted, SOURCES, type Source, traceIn } from "./planted-places.ts";

/** Where the key of many commands was looked for, and where it was though it had no business there. */
export type PlantedKey = {
  readonly commands: number;
  readonly places: number; // outputs, files, what programs were started with, what another host heard
  readonly shown: number; // requests to the key's own tracker that carried it
  readonly programs: readonly string[]; // what bt has started
  readonly hits: readonly string[];
};

/**
 * Gives a key to every verb there is, lets all kinds of things go wrong, and looks for the key wherever it must not be.
 * `isFull` takes every pair of command, misfortune and source of keys with its style, else a sample.
 */
export async function plantedKey(isFull: boolean): Promise<PlantedKey> {
  const search: Search = { commands: 0, places: 0, programs: new Set(), hits: [] };
  const other = await faultServer((socket) => socket.write(answer('{"bugs":[]}')));
  const tracker = await changingTracker();
  for (const trial of trials(isFull)) await tried(trial, { tracker, elsewhere: other.url }, search);
  for (const line of LINES.filter((_, at) => isFull || at % 30 === 0)) await triedForReal(line, tracker, search);
  look(search, "another host", [["what it heard", JSON.stringify(other.heard)]]);
  const shown = tracker.heard.filter(({ head, body }) => keyIn(head) || keyIn(body)).length;
  await Promise.all([tracker.close(), other.close()]);
  return { ...search, shown, programs: [...search.programs].sort() };
}

type Search = { commands: number; places: number; readonly programs: Set<string>; readonly hits: string[] };

/** Every example of every verb, its change made in earnest, and once more for each flag that starts a program or names a source. */
const LINES: readonly string[] = [...TREE.nouns.flatMap(({ verbs }) => verbs), ...TREE.verbs].flatMap((verb) =>
  verb.examples.flatMap(({ line }) => variants(line, verb)),
);

function variants(example: string, verb: Verb): readonly string[] {
  const line = example
    .replace(/^.*\| (?=bt )/, "")
    .replace(/^bt /, "")
    .replace(/ \| jq .*/, "")
    .replace(/ --(dry-run|api-key-file -)|--base-url \S+ ?/g, "")
    .replace(/^serve/, "$& --port 0")
    .replace(/^(auth login) [\w./]+/, "$1 TRACKER")
    .replace(/--data team.db(?: --port \d+)?/, "--data FOLDER/team.db");
  const more = {
    editor: `${line.replace(/ -[md] '[^']*'/g, "")} --editor`,
    web: `${line} --web`,
  };
  const extra = Object.entries(more).filter(([name]) => verb.flags().some((flag) => flag.name === name));
  return [line, ...extra.map(([, variant]) => variant)];
}

/** One command as it is tried. */
type Trial = {
  readonly line: string;
  readonly source: Source;
  readonly style: string;
  readonly misfortune: keyof typeof MISFORTUNES | "refused" | "crashed";
};

function trials(isFull: boolean): readonly Trial[] {
  const sources = Object.keys(SOURCES) as Source[];
  const ways = sources.flatMap((source) => ["query", "header"].map((style) => ({ source, style })));
  const misfortunes = [...Object.keys(MISFORTUNES), "refused", "crashed"] as Trial["misfortune"][];
  const all = LINES.flatMap((line, row) =>
    misfortunes.flatMap((misfortune, column) =>
      ways.filter((_, at) => (row + column + at) % TURNS === 0).map((way) => ({ ...way, line, misfortune })),
    ),
  );
  const chosen = [" --editor", " --web"].map((flag) =>
    all.find(({ line, misfortune }) => line.endsWith(flag) && misfortune === "lost"),
  );
  const possible = all.filter(({ source, line }) => source !== "stdin" || !/ -(?: |$)/.test(line)); // stdin is read once
  return possible.filter((one, at) => isFull || at % 233 === 0 || chosen.includes(one));
}

/** Each command meets each misfortune with one of so many ways, which still meets every other command and misfortune. */
const TURNS = 4;

/** A tracker that takes the key, and whose ways of failing change from command to command. */
type ChangingTracker = FaultyTracker & { readonly befall: (faults: Faults, heard?: Heard) => void };

type Heard = (request: Request) => void;

async function changingTracker(): Promise<ChangingTracker> {
  let now: { readonly faults: Faults; readonly heard?: Heard | undefined } = { faults: {} };
  const fate = (kind: "read" | "write") => (incident: Incident) => {
    now.heard?.(incident.request);
    return (now.faults[kind] ?? (({ pass }) => pass()))(incident);
  };
  const tracker = await faultyTracker({ read: fate("read"), write: fate("write") });
  addApiKey(tracker.store, tracker.login, KEY);
  return {
    ...tracker,
    befall: (faults, heard) => {
      now = { faults, heard };
    },
  };
}

type Around = { readonly tracker: ChangingTracker; readonly elsewhere: string };

/** Tries a command on a small terminal of this process, so that long output is paged. */
async function tried({ line, source, style, misfortune }: Trial, around: Around, search: Search): Promise<void> {
  const { tracker, elsewhere } = around;
  const given = planted(source, { url: misfortune === "refused" ? "http://127.0.0.1:1" : tracker.url, style });
  const command = await placed(line, given, tracker);
  const stop = new AbortController();
  let last = "";
  let requests = 0;
  const hear = (request: Request) => {
    last = JSON.stringify(request);
    requests += 1;
    if (misfortune === "silent" || (WAITS.test(line) && requests > 20)) stop.abort("SIGINT");
  };
  const faults = misfortune in MISFORTUNES ? MISFORTUNES[misfortune as keyof typeof MISFORTUNES](elsewhere) : {};
  tracker.befall(faults, hear);
  const run = await btConnected(`-vv ${given.flags} ${command}`, {
    ...{ env: given.env, stdin: given.stdin, answers: [KEY], terminal: misfortune !== "crashed", rows: 3, columns: 40 },
    ...(misfortune === "crashed" ? { out: () => Promise.reject(new TypeError(`${last} is no function`)) } : {}),
    signal: line.startsWith("serve") ? AbortSignal.timeout(50) : stop.signal,
  });
  if (/^http/m.test(run.err)) await told(given, "browser");
  searched(`${source}, ${style}, ${misfortune}: bt ${command} (exit ${run.code})`, { ...run, given }, search);
}

/** The command with what it needs: a folder of its own, a job to send. */
async function placed(line: string, { folder, env, flags, stdin }: Planted, tracker: ChangingTracker): Promise<string> {
  if (!line.startsWith("job send")) return line.replace("FOLDER", folder).replace("TRACKER", env["BT_BASE_URL"] ?? "");
  tracker.befall(MISFORTUNES["lost for good"]());
  const { err } = await btConnected(`${flags} comment add 43 -m Hello`, { env, stdin });
  return `job send ${jobIn(err)} --yes`;
}

/** Waits for a program that bt does not wait for. */
async function told({ folder }: Planted, program: string): Promise<void> {
  const isThere = () => filesIn(folder).some(([name]) => name === `told/${program}`);
  for (let tries = 0; tries < 400 && !isThere(); tries += 1) await sleep(5);
}

/** Tries a command in a process of its own, whose words and environment count too. */
async function triedForReal(line: string, tracker: ChangingTracker, search: Search): Promise<void> {
  const given = planted("environment", { url: tracker.url, style: "query" });
  const command = await placed(line, given, tracker);
  tracker.befall(MISFORTUNES.lost());
  tracker.clock.step(MINUTE_MS); // else what the last command has made could be this one's
  const bt = start(["-vv", ...words(command)], given.env);
  if (WAITS.test(line)) setTimeout(() => bt.kill("SIGTERM"), 1000);
  searched(`bt ${command} as a process`, { ...(await bt.end), given }, search);
}

/** Commands that end when they are told to, or after an hour. */
const WAITS = /^(?:serve|bug (?:wait|watch)) /;

type Left = { readonly out: string; readonly err: string; readonly given: Planted };

/** Looks for the key in all that a command has left, and takes it away. */
function searched(name: string, { out, err, given }: Left, search: Search): void {
  search.commands += 1;
  const drafts = [...err.matchAll(/your text is saved in\s+(\S+)\/text\.txt/g)].map(([, folder = ""]) => folder);
  const files = [given.folder, ...drafts].flatMap(filesIn);
  look(search, name, [["standard output", out], ["standard error", err], ...files]);
  for (const [file] of files) if (file.startsWith("told/")) search.programs.add(file.slice(5));
  const patient = { recursive: true, maxRetries: 20, retryDelay: 10 }; // a program that bt does not wait for may still write
  for (const folder of [given.folder, given.vault, ...drafts]) rmSync(folder, patient);
}

function look(search: Search, name: string, places: readonly (readonly [place: string, text: string])[]): void {
  search.places += places.length;
  for (const [place, text] of places) {
    const trace = traceIn(text);
    if (trace !== undefined) search.hits.push(`${name}: ${place}: ...${trace}...`);
  }
}
