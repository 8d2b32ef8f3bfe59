import type { Io } from "../../io.ts";
import type { Session } from "../../session/session.ts";

/** True if prompts may be shown and answered on stdin, or on the terminal of the process. */
export function mayPrompt(io: Io, settings: Session["settings"], source: "stdin" | "control" = "stdin"): boolean {
  const { terminal, env } = io;
  return terminal.stderr && terminal[source] && (env["BT_PROMPTS"] || settings.prompts || "on") !== "off";
}

/** Prompt for a confirmation; undefined if there is none. If stdin is the list of ids, the terminal is read itself. */
export function confirmationPrompt(
  { args }: { args: string[] },
  io: Io,
  settings: Session["settings"],
): ((message: string) => Promise<boolean>) | undefined {
  const control = args.includes("-");
  if (!mayPrompt(io, settings, control ? "control" : "stdin")) return undefined;
  return async (message) => (await io.prompt({ kind: "confirm", message, control })) === "yes";
}
