import type { Flag } from "./verb.ts";

/** The flags by which a long text comes from elsewhere than the command line. */
export function proseFlags(name: string, group: string): readonly Flag[] {
  return [
    {
      name: "body-file",
      short: "F",
      value: "<file>",
      about: `read the ${name} from a file, or from standard input with -`,
      completes: "file",
      group,
    },
    { name: "editor", short: "e", about: `write the ${name} in your editor`, group },
  ];
}
