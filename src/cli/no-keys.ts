import { BtError } from "../errors.ts";

/** Refuses a key among the words of a command line, where other users and the shell's history see it. */
export function refuseKeys(argv: readonly string[]): void {
  const flag = argv.map((word) => KEY_FLAG.exec(word)?.[0]).find((name) => name !== undefined);
  if (flag === undefined) return;
  throw new BtError("usage", `${flag} is not taken: other users of this machine can read command lines`, {
    details: ["the key is in your shell's history now; it is best to make a new one"],
    hint: "bt auth login keeps a key; --api-key-file FILE (- for standard input) and BT_API_KEY give it for one command",
    changed: "nothing",
  });
}

const KEY_FLAG = /^--(?:bugzilla[-_])?(?:api[-_]?key|api[-_]?token|token|key)(?==|$)/i;
