import { onTestFinished } from "vitest";
import { type OpenedTracker, openTracker } from "../../src/tracker/open.ts";
import { startServer } from "../../src/tracker/server/server.ts";
import type { Tracker } from "../../src/tracker/tracker.ts";
import type { Request, Response } from "../../src/wire/exchange.ts";
import { machineClock } from "../clock.ts";

/** The demo on a port, with what it was asked. */
export type DemoServer = {
  readonly url: string;
  readonly store: OpenedTracker["store"];
  readonly key: () => string; // of the owner, made when it is first asked for
  readonly requests: readonly Request[];
};

/** Response of a server in place of the demo's own; undefined leaves that standing. */
export type Instead = (request: Request) => Response | undefined | Promise<Response | undefined>;

/** Serves a fresh demo over HTTP, to processes by this machine's clock, until the test ends; `instead` may answer some requests otherwise. */
export async function demoServer(instead: Instead = () => undefined): Promise<DemoServer> {
  const opened = openTracker("demo:", {
    now: machineClock.now,
    random: (bytes) => new Uint8Array(bytes),
    dataDirectory: "",
  });
  const requests: Request[] = [];
  const tracker: Tracker = async (request, origin) => {
    requests.push(request);
    return (await instead(request)) ?? opened.tracker(request, origin);
  };
  const served = await startServer({ tracker, port: 0 });
  onTestFinished(async () => {
    await served.close();
    opened.close();
  });
  return { url: served.url, store: opened.store, key: () => opened.addFirstKey()?.key ?? "", requests };
}

/** Copies of the bugs of a demo, until it has so many; each has its own number and summary. */
export function crowd({ store }: Pick<DemoServer, "store">, count: number): void {
  store.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT (SELECT max(id) FROM bugs) + 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
    INSERT INTO bugs (id, summary, status, product_id, component_id, version, priority, severity, platform, op_sys,
      assigned_to_id, creator_id, creation_time, last_change_time)
    SELECT n, 'Photo ' || n || ' is shown upside down', 'CONFIRMED', product_id, component_id, version, priority, severity,
      platform, op_sys, assigned_to_id, creator_id, creation_time, last_change_time
    FROM numbers, bugs WHERE bugs.id = 1;
    INSERT INTO comments (bug_id, creator_id, creation_time, text)
    SELECT id, creator_id, creation_time, 'It is.' FROM bugs WHERE id NOT IN (SELECT bug_id FROM comments);`);
}
