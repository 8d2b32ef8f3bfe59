import type { Connection } from "./cli/run.ts";
import { trackerOf } from "./cli/tracker.ts";
import type { Input } from "./commands/verb.ts";
import { textOf } from "./commands/verb.ts";
import { BtError } from "./errors.ts";
import type { Io } from "./io.ts";
import { network } from "./transport/network.ts";
export async function connect(flags: Input["flags"], io: Io): Promise<Connection> {
  const address = textOf(flags["base-url"]) ?? io.env["BT_BASE_URL"];
  if (!address) throw new BtError("usage", "no tracker");
  const net = network({ baseUrl: address, userAgent: "bt", env: io.env });
  const tracker = trackerOf({
    address,
    exchange: net.exchange,
    metadata: { read: async () => undefined, write: async () => undefined },
    memory: { read: async () => undefined, write: async () => undefined },
    refresh: false,
    isNear: false,
    login: async () => undefined,
  });
  return { tracker, settings: {}, close: async () => net.close() };
}
