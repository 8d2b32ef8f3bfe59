import type { CommandFlag } from "../../command-flag.ts";
import type { VerbRow } from "../verb.ts";

const MCP_FLAGS = [
  { name: "allow-writes", about: "offer the tools that create and change bugs", group: "Safety" },
  {
    name: "include-private",
    about: "include private comments, and bugs that are restricted to groups",
    group: "Safety",
  },
] as const satisfies readonly CommandFlag[];

/** `bt mcp`: the tools of a Model Context Protocol client. */
export const MCP: VerbRow<typeof MCP_FLAGS> = {
  name: "mcp",
  about: "Serve tools for assistants over stdio (Model Context Protocol).",
  details: `Tools: search, get, values, similar and todo; with --allow-writes also create, update, comment and undo. Before a write, a
client that can ask its user shows the changes and asks for consent. See bt help assistants.`,
  flags: MCP_FLAGS,
  examples: [{ line: "bt mcp --allow-writes -P work", about: "read and write the tracker of a profile" }],
  run: async (program) => (await import("./server.ts")).assistantServer(program),
};
