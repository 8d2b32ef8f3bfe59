import path from "node:path";
import { expect, test } from "vitest";
import { COMPLETION_SCRIPTS } from "../../src/commands/completion/scripts.ts";

test.each([
  ["bash", "bt.bash"],
  ["zsh", "_bt"],
  ["fish", "bt.fish"],
  ["powershell", "bt.ps1"],
] as const)("the script for %s in completions/%s is the printed one", async (shell, file) => {
  await expect(COMPLETION_SCRIPTS[shell]).toMatchFileSnapshot(
    path.join(import.meta.dirname, "../../completions", file),
  );
});
