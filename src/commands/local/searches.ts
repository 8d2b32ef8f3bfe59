import { fork } from "node:child_process";
import { join } from "node:path";
import { childEnv } from "../../child-env.ts";
import type { Io } from "../../io.ts";
import type { Opened } from "../../tracker/open.ts";
import { searchingAside, type WithSearchesAside } from "../../tracker/serve/aside.ts";

/** The tracker that is served, with its searches in processes of their own; a tracker in memory can only search itself. */
export function withSearchesAside({ tracker, file }: Opened, isStrict: boolean, { env }: Io): WithSearchesAside {
  if (file === undefined) return { tracker, close: () => undefined };
  const start = () =>
    fork(join(import.meta.dirname, "searcher.cjs"), {
      env: childEnv(env),
      execArgv: ["--max-old-space-size=1024"],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
  return searchingAside({ tracker, start, file, isStrict });
}
