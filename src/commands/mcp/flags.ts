import type { CommandFlag } from "../../command-flag.ts";
import type { InputOf } from "../input.ts";

export const MCP_FLAGS = [
  { name: "allow-writes", about: "offer the tools that create and change bugs", group: "Safety" },
  {
    name: "include-private",
    about: "include private comments, and bugs that are restricted to groups",
    group: "Safety",
  },
] as const satisfies readonly CommandFlag[];

/** Input of `bt mcp`. */
export type McpInput = InputOf<typeof MCP_FLAGS>;
