import manifest from "../package.json" with { type: "json" };
import { run } from "./cli/run.ts";
import { TREE } from "./commands/tree.ts";
import { discreet, type Io, processIo } from "./io.ts";
import { redactor } from "./secret.ts";

/** Runs one command line in a process and answers with the exit code; nothing else decides how the process ends. */
export function main(argv: readonly string[], host: Io = processIo()): Promise<number> {
  const { version } = manifest;
  const secrets = redactor();
  const io = discreet(host, secrets);
  return run(argv, {
    io,
    tree: TREE,
    version,
    connect: async (flags) => (await import("./connect.ts")).connector(version, secrets)(flags, io),
    remind: async () => (await import("./reminder.ts")).reminder(io),
  });
}
