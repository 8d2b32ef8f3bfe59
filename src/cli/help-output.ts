import type { Io } from "../io.ts";
import { pagerCommand } from "../session/pager.ts";
import type { Session } from "../session/session.ts";
import type { HelpPage } from "./command-help.ts";
import { PLAIN_LAYOUT } from "./help-layout.ts";
import { colorFlag, outputVia, wantsColor } from "./terminal.ts";

/** The process, and the settings that help uses. */
type HelpOutput = { io: Io; preferences?: (() => Promise<Session["settings"]>) | undefined };

/** Prints a page of help; on a terminal with bold headings, and paged if it does not fit. */
export async function showHelp(
  page: HelpPage,
  argv: readonly string[],
  { io, preferences }: HelpOutput,
): Promise<void> {
  if (!io.terminal.stdout) return io.out(page(PLAIN_LAYOUT));
  const settings = (await preferences?.()) ?? {};
  const heading = wantsColor(colorFlag(argv) ?? settings.color ?? "auto", true, io.env)
    ? (await import("../view/palette.ts")).palette({ color: true }).title
    : PLAIN_LAYOUT.heading;
  const out = outputVia(argv.includes("--no-pager") ? undefined : pagerCommand(io, settings.pager), io);
  await out.write(page({ width: io.size().columns, heading }));
  await out.end();
}
