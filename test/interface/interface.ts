import type { JsonObject } from "../../src/wire/exchange.ts";
import { type Around, bt, type Ran } from "../bt.ts";
import { type InterfaceOptions, type InterfaceServer, interfaceServer, PEOPLE } from "../servers/interface-server.ts";

/** The clock of the tests of this folder, a day after the newest bug of the server. */
const NOW = "2026-05-02T12:00:00Z";

/** What a client remembers of a tracker that knows the interface alone. */
export function plainFacts(): Map<string, JsonObject> {
  return new Map([["dialect", { name: "plain", at: Date.parse(NOW), longest: 0, ahead: 0 }]]);
}

/** Result of a command line against a server, and what the server was sent beyond the interface. */
export type OnInterface = Ran & Pick<InterfaceServer, "beyond" | "bugs" | "comments">;

/** Runs a command line against a fresh server of the interface, about which nothing is known. */
export async function onInterface(
  line: string,
  options: InterfaceOptions = {},
  around: Partial<Around> = {},
): Promise<OnInterface> {
  const server = interfaceServer(options);
  const ran = await bt(line, { exchange: server.exchange, ...NETWORK, ...around });
  return { ...ran, beyond: server.beyond, bugs: server.bugs, comments: server.comments };
}

/** Surroundings of a client that has logged in. */
export const NETWORK = { isInProcess: false, address: "https://bugs.test", login: PEOPLE[0], now: NOW } as const;
