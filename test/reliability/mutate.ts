import type { Json, Response } from "../../src/wire/exchange.ts";
import type { Chance } from "./random.ts";

/** A reply that was damaged on its way. */
export function mutated(reply: Response, dice: Chance): Response {
  return dice.one(MUTATIONS)(reply, dice);
}

type Mutation = (reply: Response, dice: Chance) => Response;

const MUTATIONS: readonly Mutation[] = [
  withBody(flipped),
  withBody(flipped),
  withBody((body, dice) => body.slice(0, dice.below(body.length + 1))),
  withBody((body, dice) => body + body.slice(dice.below(body.length + 1))),
  withBody((body) => `${"[".repeat(100_000)}${body}`),
  withBody((body, dice) => body.replace(/\d+/g, (digits) => (dice.number() < 0.1 ? HUGE : digits))),
  withBody(() => ""),
  withBody(() => "<html><title>Log in</title></html>"),
  withJson((json, dice) => changedNode(json, dice, () => dice.one(ODD))),
  withJson((json, dice) => changedNode(json, dice, () => dice.one(ODD))),
  withJson((json, dice) => changedNode(json, dice, () => undefined)),
  withJson((json) => [json]),
  withJson((json, dice) => changedNode(json, dice, (node) => [node, node])),
  (reply, dice) => ({ ...reply, status: dice.one([200, 201, 204, 301, 304, 400, 401, 404, 429, 500, 502, 503]) }),
  (reply) => ({ ...reply, headers: { ...reply.headers, "content-type": "text/html" } }),
];

const HUGE = "123456789012345678901234567890";

const ODD: readonly Json[] = [
  null, true, false, 0, -1, 1.5, 1e300, "", "text", "\u001b[2J\u0007", "__proto__", [], {}, [null], [[]],
  { error: true }, { error: true, code: 102, message: "no" }, { id: "seven" },
]; // biome-ignore format: a list

function withBody(change: (body: string, dice: Chance) => string): Mutation {
  return (reply, dice) => ({ ...reply, body: change(reply.body, dice) });
}

function withJson(change: (json: Json, dice: Chance) => Json): Mutation {
  return withBody((body, dice) => {
    try {
      return JSON.stringify(change(JSON.parse(body) as Json, dice));
    } catch {
      return body.slice(1);
    }
  });
}

/** One bit of one byte; what is no UTF-8 any more reads as it does behind the network. */
function flipped(body: string, dice: Chance): string {
  const bytes = Buffer.from(body);
  const at = dice.below(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << dice.below(8));
  return bytes.toString();
}

/** The same JSON with one of its parts replaced, or left out where the change gives nothing. */
function changedNode(json: Json, dice: Chance, change: (node: Json) => Json | undefined): Json {
  const nodes = { left: dice.below(countOf(json)) };
  const visit = (node: Json): Json | undefined => {
    nodes.left -= 1;
    if (nodes.left === -1) return change(node);
    if (Array.isArray(node)) return (node as readonly Json[]).flatMap((item) => visit(item) ?? []);
    if (typeof node !== "object" || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).flatMap(([name, value]) => {
        const changed = visit(value);
        return changed === undefined ? [] : [[name, changed] as const];
      }),
    );
  };
  return visit(json) ?? null;
}

function countOf(json: Json): number {
  if (typeof json !== "object" || json === null) return 1;
  return 1 + Object.values(json).reduce((sum: number, part) => sum + countOf(part as Json), 0);
}
