import manifest from "../package.json" with { type: "json" };
import { commandIo } from "./cli/output.ts";
import { runCommandLine } from "./cli/run.ts";
import { TREE } from "./commands/tree.ts";
import { createProcessIo, type Io } from "./io.ts";
import { createRedactor } from "./secret.ts";
import type { MirrorChoice } from "./session/connect.ts";
import type { JournalTracker } from "./session/session.ts";

/** Runs one command line and returns its exit code. */
export async function main(argv: readonly string[], host: Io = createProcessIo()): Promise<number> {
  const version = manifest.version; // with destructuring, all of it would be bundled
  const secrets = createRedactor();
  const io = commandIo(host, secrets, argv);
  const code = await runCommandLine(argv, {
    io,
    tree: TREE,
    version,
    connect: async (flags, verbIo, needs) => {
      const { connectSession } = await import("./session/connect.ts");
      const program = {
        version,
        secrets,
        openJournal: async (tracker: JournalTracker) =>
          (await import("./jobs/journal.ts")).openJournal(tracker, verbIo),
        connectMirror: async (choice: MirrorChoice) =>
          (await import("./mirror/connect.ts")).connectMirror(choice, verbIo),
      };
      return connectSession(flags, verbIo, program, needs);
    },
    aliases: async () => (await import("./config/settings.ts")).readSettings(io).aliases ?? {},
  });
  await host.err(""); // waits for notes that are still being written
  return code;
}
