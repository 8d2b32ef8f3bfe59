import type { VerbRow } from "../verb.ts";

/** `bt completion`: prints a shell's completion script. */
export const COMPLETION: VerbRow = {
  name: "completion",
  about: "Print a shell completion script (bash, zsh or fish).",
  args: [{ name: "shell", completes: "shells" }],
  flags: [],
  offline: true,
  examples: [
    { line: "bt completion bash", about: 'in ~/.bashrc: eval "$(bt completion bash)"' },
    { line: "bt completion zsh", about: 'bt completion zsh > "$fpath[1]/_bt"' },
    { line: "bt completion fish", about: "bt completion fish > ~/.config/fish/completions/bt.fish" },
  ],
  run: async () => (await import("./complete.ts")).printCompletionScript,
};

/** Hidden `bt complete`, called by the completion scripts; the command line follows `--`. */
export const COMPLETE: VerbRow = {
  name: "complete",
  about: "List completions for a command line; called by the completion scripts.",
  args: [{ name: "word", many: true, optional: true }],
  flags: [],
  hidden: true,
  offline: "if need be",
  createsTracker: false,
  connects: async () => (await import("./complete.ts")).readTrackerFlags,
  examples: [{ line: "bt complete -- bug se", about: "completions of bug se" }],
  run: async ({ tree }) => (await import("./complete.ts")).wordCompletion(tree),
};
