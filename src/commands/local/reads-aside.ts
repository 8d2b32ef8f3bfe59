import { fork } from "node:child_process";
import { join } from "node:path";
import { childEnv } from "../../child-env.ts";
import type { Io } from "../../io.ts";
import type { Opened } from "../../tracker/open.ts";
import { readingAside, type WithReadsAside } from "../../tracker/serve/aside.ts";

/** The tracker that is served, with its long reads in processes of their own; a tracker in memory has only itself. */
export function withReadsAside({ tracker, file }: Opened, isStrict: boolean, { env }: Io): WithReadsAside {
  if (file === undefined) return { tracker, close: () => undefined };
  const start = () =>
    fork(join(import.meta.dirname, "reader.cjs"), {
      env: childEnv(env),
      execArgv: ["--max-old-space-size=1024"],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
  return readingAside({ tracker, start, file, isStrict });
}
