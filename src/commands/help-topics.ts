/** The topics of `bt help`, and what they are about. */
export const HELP_TOPICS = {
  assistants: "for programs that run bt, and the tools of bt mcp",
  delivery: "what happens after a lost response, and what to do",
  "exit-codes": "exit codes",
  environment: "environment variables and settings",
  flags: "flags that all commands share",
  formats: "output formats",
  offline: "reading from a mirror, and what it refuses",
  query: "the query language",
} as const;
