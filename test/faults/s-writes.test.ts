import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freshFolder } from "../fresh-folder.ts";
import { surroundings } from "../process/real.ts";
import { ask, send } from "../servers/ask.ts";
import { ownKey, serveProcess } from "../servers/serve-process.ts";

const BUG = { product: "Project", component: "General", version: "unspecified", op_sys: "All", platform: "All" };
const WRITERS = Array.from({ length: 8 }, (_, n) => n);

/** Two processes that serve the same data until the test ends, asked in turns: nothing but the data is between them. */
async function twoServers() {
  const data = join(freshFolder(), "team.db");
  const env = surroundings();
  const servers = [await serveProcess(["--data", data], env), await serveProcess(["--data", data], env)] as const;
  onTestFinished(async () => void (await Promise.all(servers.map(({ kill }) => kill("SIGTERM")))));
  const key = ownKey(data);
  const urlOf = (n: number) => servers[n % 2 === 0 ? 0 : 1].url;
  const write = (n: number, [method, path, headers = {}]: To, body: object) =>
    send(`${urlOf(n)}${path}`, { method, key, headers }, body);
  const read = async <T>(path: string): Promise<T> =>
    JSON.parse((await ask(`${urlOf(1)}${path}`, { headers: { "x-bugzilla-api-key": key } })).body) as T;
  return { write, read };
}

type To = readonly [method: string, path: string, headers?: Record<string, string>];
type Bugs = { readonly bugs: readonly Readonly<Record<string, unknown>>[] };
type Change = { readonly field_name: string; readonly removed: string; readonly added: string };
type Histories = { readonly bugs: readonly { readonly history: readonly { readonly changes: readonly Change[] }[] }[] };

test("S11 of eight writers with update tokens one wins; without them each is in the history", async () => {
  const { write, read } = await twoServers();
  await write(0, ["POST", "/rest/bug"], { ...BUG, summary: "Contended" });
  const [bug] = (await read<Bugs>("/rest/bug/1")).bugs;
  const token = String(bug?.["update_token"]);
  const careful = await Promise.all(
    WRITERS.map((n) => write(n, ["PUT", "/rest/bug/1", { "if-match": token }], { whiteboard: `careful-${n}` })),
  );
  expect(careful.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
  const winner = careful.findIndex(({ status }) => status === 200);
  expect((await read<Bugs>("/rest/bug/1")).bugs).toMatchObject([{ whiteboard: `careful-${winner}` }]);

  const careless = await Promise.all(
    WRITERS.map((n) =>
      write(n, ["PUT", "/rest/bug/1"], { whiteboard: `careless-${n}`, comment: { body: `note ${n}` } }),
    ),
  );
  expect(careless.map(({ status }) => status)).toEqual(WRITERS.map(() => 200));
  const told = (await read<Histories>("/rest/bug/1/history")).bugs
    .flatMap(({ history }) => history)
    .flatMap(({ changes }) => changes.filter(({ field_name }) => field_name === "whiteboard"));
  expect(told.slice(1).map(({ removed }) => removed)).toEqual(told.slice(0, -1).map(({ added }) => added));
  expect(told.map(({ added }) => added).sort()).toEqual([`careful-${winner}`, ...WRITERS.map((n) => `careless-${n}`)]);
  expect((await read<Bugs>("/rest/bug/1")).bugs).toMatchObject([{ whiteboard: told.at(-1)?.added }]);
});
