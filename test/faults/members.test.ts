import { expect, test } from "vitest";
import type { Exchange, Json } from "../../src/wire/exchange.ts";
import { isObject } from "../../src/wire/json.ts";
import { bt } from "../bt.ts";
import { freshDemo } from "../fresh-demo.ts";
import { sampled } from "../sampling.ts";
import { READING_LINES } from "./lines.ts";

const now = () => new Date("2026-11-20T12:00:00Z");
const random = (count: number) => new Uint8Array(count);

/** What becomes of a member; undefined: it is dropped. */
type Fate = (value: Json) => Json | undefined;

const FATES: Readonly<Record<string, Fate>> = {
  dropped: () => undefined,
  null: () => null,
  "of another type": (value) => (typeof value === "string" ? 7 : "text"),
};

/** Places of all members, with `*` for the items of lists and for names that are ids. */
function placesIn(value: Json, place = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => placesIn(item, `${place}/*`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = `${place}/${/^\d+$/.test(name) ? "*" : name}`;
    return [at, ...placesIn(member, at)];
  });
}

function mutated(value: Json, place: string, fate: Fate, at = ""): Json {
  if (Array.isArray(value)) return value.map((item) => mutated(item, place, fate, `${at}/*`));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const here = `${at}/${/^\d+$/.test(name) ? "*" : name}`;
    return [name, here === place ? fate(member) : mutated(member, place, fate, here)];
  });
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

/** A run in which a member of the responses of one operation has a fate. */
async function runWith(line: string, operation: string, place: string, fate: Fate) {
  const { exchange, login, close } = freshDemo({ now, random });
  const faulty: Exchange = async (request) => {
    const response = await exchange(request);
    if (request.operation !== operation || response.status !== 200) return response;
    return { ...response, body: JSON.stringify(mutated(JSON.parse(response.body), place, fate)) };
  };
  const ran = await bt(line, { exchange: faulty, login, isInProcess: false, terminal: !line.includes("--json") });
  close();
  return ran;
}

const seen = new Set<string>();

test.each(READING_LINES)("%s survives every member dropped, null or of another type", async (line) => {
  const { exchange, login } = freshDemo({ now, random });
  const found = new Map<string, [operation: string, place: string]>();
  const recording: Exchange = async (request) => {
    const response = await exchange(request);
    for (const place of placesIn(JSON.parse(response.body))) {
      const operation = request.operation ?? "";
      found.set([operation, place, /--(?:reply|json)/.exec(line)].join(" "), [operation, place]);
    }
    return response;
  };
  const around = { exchange: recording, login, isInProcess: false, terminal: !line.includes("--json") };
  expect(await bt(line, around)).toMatchObject({ code: 0 });
  const fresh = [...found].filter(([key]) => seen.size < seen.add(key).size);
  const cases = fresh.flatMap(([, where]) => Object.keys(FATES).map((name) => [...where, name] as const));
  const bad: unknown[] = [];
  for (const [operation, place, name] of sampled(cases, 4)) {
    const { code, out, err } = await runWith(line, operation, place, FATES[name] as Fate);
    if (code === 70 || /undefined|\[object/.test(out + err)) bad.push([operation, place, name, code, out, err]);
  }
  expect(bad).toEqual([]);
});
