import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freshFolder } from "../fresh-folder.ts";
import { surroundings } from "../process/real.ts";
import { ownKey, type ServeProcess, serveProcess } from "../servers/serve-process.ts";
import { type Chance, chance } from "./random.ts";
import { damageOf, tracesOf } from "./server-traces.ts";

/** Outcome for a served tracker that was killed again and again while many wrote to it. */
export type ServerKills = {
  readonly kills: number;
  readonly acknowledged: number; // writes whose answer came
  readonly cut: number; // writes whose answer never came
  readonly lost: number; // acknowledged, and not there
  readonly twice: number; // there more than once
  readonly damage: readonly string[]; // half-written bugs, refused writes, what the integrity check says
};

const WRITERS = 8;

/** Kills `bt serve` with SIGKILL at random moments while eight writers write, and counts what every write has left. */
export async function serverKills(kills: number, seed: number): Promise<ServerKills> {
  const dice = chance(seed);
  const data = join(freshFolder(), "team.db");
  const env = surroundings();
  const start = () => serveProcess(["--data", data], env);
  const first = await start();
  const state: State = {
    server: Promise.resolve(first),
    key: ownKey(data),
    dice,
    isOver: false,
    done: 0,
    sent: [],
    refused: [],
  };
  await write(state, first.url, { n: 0, kind: "bug" });
  const writers = Array.from({ length: WRITERS }, () => writing(state));
  for (let n = 0; n < kills; n += 1) {
    const { kill } = await state.server;
    for (const { done } = state; state.done === done; ) await sleep(5); // it works, however busy the machine is
    await sleep(dice.below(400)); // each write is a commit of its own
    state.server = kill("SIGKILL").then(start);
  }
  state.isOver = true;
  await Promise.all(writers);
  await (await state.server).kill("SIGTERM");
  return { kills, ...counted(state, data) };
}

/** One write: its number stands in everything that it leaves behind. */
type Write = { readonly n: number; readonly kind: Kind };
type Sent = Write & { fate: "acknowledged" | "cut" };
type State = {
  server: Promise<ServeProcess>;
  readonly key: string;
  readonly dice: Chance;
  isOver: boolean;
  done: number; // acknowledged writes
  readonly sent: Sent[];
  readonly refused: string[];
};

/** Writes one thing after the other, each once. */
async function writing(state: State): Promise<void> {
  while (!state.isOver) {
    const n = state.sent.length + 1;
    const kind = state.dice.one(["bug", "comment", "change"] as const);
    const sent: Sent = { n, kind, fate: "cut" };
    state.sent.push(sent);
    const { url } = await state.server;
    if (!(await write(state, url, sent))) continue;
    sent.fate = "acknowledged";
    state.done += 1;
  }
}

type Kind = "bug" | "comment" | "change";

const REQUESTS: Readonly<Record<Kind, (n: number) => readonly [method: string, path: string, body: object]>> = {
  bug: (n) => ["POST", "/rest/bug", { ...BUG, summary: `bug-${n}`, description: `text-${n}` }],
  comment: (n) => ["POST", "/rest/bug/1/comment", { comment: `text-${n}`, work_time: 0.25 }],
  change: (n) => ["PUT", "/rest/bug/1", { whiteboard: `note-${n}`, work_time: 0.25, comment: { body: `text-${n}` } }],
};

const BUG = { product: "Project", component: "General", version: "unspecified", op_sys: "All", platform: "All" };

/** True if the whole answer came; a refusal is none of this test's, and is kept to be told. */
function write({ key: apiKey, refused }: State, url: string, { n, kind }: Write): Promise<boolean> {
  const [method, path, body] = REQUESTS[kind](n);
  const headers = { "content-type": "application/json", "x-bugzilla-api-key": apiKey };
  return new Promise((resolve) => {
    const sent = request(`${url}${path}`, { method, headers, agent: false }, (answer) => {
      answer.resume();
      answer.on("close", () => {
        const isDone = answer.complete && (answer.statusCode ?? 0) < 300;
        if (answer.complete && !isDone) refused.push(`${method} ${path}: ${answer.statusCode}`);
        resolve(answer.complete);
      });
    });
    sent.on("error", () => resolve(false));
    sent.end(JSON.stringify(body));
  });
}

function counted({ sent, refused }: State, data: string): Omit<ServerKills, "kills"> {
  const traces = tracesOf(data);
  const acknowledged = sent.filter(({ fate }) => fate === "acknowledged");
  const times = ({ n, kind }: Sent) => traces[kind].get(n) ?? 0;
  return {
    acknowledged: acknowledged.length,
    cut: sent.length - acknowledged.length,
    lost: acknowledged.filter((one) => times(one) === 0).length,
    twice: sent.filter((one) => times(one) > 1).length,
    damage: [...refused, ...damageOf(data)],
  };
}
