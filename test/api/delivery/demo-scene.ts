import type { SentWrite, VerifyContext } from "../../../src/api/delivery/write.ts";
import { withOperation } from "../../../src/api/operations/known-operations.ts";
import { readResponse } from "../../../src/api/response/response.ts";
import type { Json, JsonObject, Request } from "../../../src/wire/exchange.ts";
import { freshDemo } from "../../fresh-demo.ts";

/** A demo tracker on which writes are applied, or not, and then verified as if their responses had been lost. */
export function demoScene() {
  let ms = Date.parse("2026-11-20T12:00:00Z");
  const demo = freshDemo({ now: () => new Date(ms), random: (count) => new Uint8Array(count).fill(7) });
  const { id: otherId } = demo.store.get("SELECT id FROM users WHERE login = 'ada@example.org'") as { id: number };
  const send = async (request: Request): Promise<Json> => readResponse(await demo.exchange(request), request);
  const askAsOther = async (request: Request) =>
    readResponse(await demo.tracker(request, { address: "127.0.0.1", userId: otherId }), request);
  const context: VerifyContext = { send, me: demo.login, confirmed: () => [] };
  return {
    ...{ send, askAsOther, context, login: demo.login },
    pass: (seconds: number) => {
      ms += seconds * 1000;
    },
    /** A write that is sent now, with nothing like its result before it. */
    sent: (request: Request, known: Partial<SentWrite> = {}): SentWrite => ({
      ...{ request, at: ms, since: new Date(ms - DAY_MS).toISOString(), alike: [] },
      ...known,
    }),
    /** A bug as it is now. */
    bug: async (id: number): Promise<JsonObject> => {
      const { bugs } = (await send({ method: "GET", path: `/rest/bug/${id}`, query: [] })) as { bugs: JsonObject[] };
      return bugs[0] ?? {};
    },
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function PUT(path: string, body: JsonObject): Request {
  return withOperation({ method: "PUT", path, query: [], body });
}

export function POST(path: string, body: JsonObject): Request {
  return withOperation({ method: "POST", path, query: [], body });
}
