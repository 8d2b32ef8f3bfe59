import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { onTestFinished } from "vitest";
import { openDemo } from "../../src/tracker/demo/demo.ts";
import { openStore, type Store } from "../../src/tracker/store/store.ts";
import { runningClock } from "../clock.ts";
import { shell, surroundings } from "../process/real.ts";
import { demoServer } from "../servers/demo-server.ts";
import { missedFact, withBugView } from "./done.ts";
import type { Task } from "./tasks.ts";

/** Why a line of bash does not do a task; undefined if it does. */
export async function faultOf(task: Task, line: string): Promise<string | undefined> {
  const fault = await attempt(task, line);
  return fault === undefined && task.otherwise ? attempt({ ...task, ...task.otherwise }, line) : fault;
}

/** The same on a machine of its own, with a demo that nobody has used. */
async function attempt({ task, given = "", again, proof, done }: Task, line: string): Promise<string | undefined> {
  const machine = surroundings();
  const { XDG_CACHE_HOME: cache, HOME: home } = machine;
  const clock = runningClock();
  const cwd = `${home}/here`;
  for (const folder of [cwd, `${cache}/bt`]) mkdirSync(folder, { recursive: true });
  const fresh = openDemo(clock.now());
  fresh.run("VACUUM INTO ?", [`${cache}/bt/demo.db`]);
  fresh.close();
  const quietly = (lines: string) => `{\n${lines}\n} >/dev/null`;
  const next = proof ?? again;
  const parts = [
    `${quietly(`:\n${given}`)} 2>&1\ncp -r ${cache}/bt ${home}/before`,
    ...(next === undefined ? [] : [quietly(line), quietly(again ?? ":")]),
    proof ?? line,
  ];
  const env = { ...machine, ...clock.env, ...(await servers(task, cwd)) };
  const { code, out } = await shell(parts.join("\n"), { env, cwd });
  const file = done.file && `${cwd}/${done.file}`;
  const output = file === undefined ? Buffer.from(out) : existsSync(file) && readFileSync(file);
  const before = openedUntilEnd(`${home}/before/demo.db`);
  return missedFact(done, { code, out: output || undefined, before, after: openedUntilEnd(`${cache}/bt/demo.db`) });
}

/** The environment that a task names: a tracker on the network, whose key it puts into a file, and a port that is free. */
async function servers(task: string, folder: string): Promise<Readonly<Record<string, string>>> {
  if (task.includes("$TRACKER")) {
    const { url, key } = await demoServer();
    writeFileSync(`${folder}/key.txt`, `${key()}\n`, { mode: 0o600 });
    return { TRACKER: url };
  }
  return task.includes("$PORT") ? { PORT: `${await freePort()}` } : {};
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

function openedUntilEnd(file: string): Store {
  const store = withBugView(openStore(file));
  onTestFinished(store.close);
  return store;
}
