import { BtError, usage } from "../errors.ts";

/** Refuses words of a command line that must not be read: a key, which others then see too, and bytes that are no text. */
export function checkWords(argv: readonly string[]): void {
  for (const word of argv) {
    const [flag] = KEY_FLAG.exec(word) ?? [];
    if (flag !== undefined) throw keyInSight(flag);
    if (word.includes("\ufffd")) throw notText(word);
  }
}

const KEY_FLAG = /^--(?:bugzilla[-_])?(?:api[-_]?key|api[-_]?token|token|key)(?==|$)/i;

function keyInSight(flag: string): BtError {
  return new BtError("usage", `${flag} is not taken: other users of this machine can read command lines`, {
    details: ["the key is in your shell's history now; it is best to make a new one"],
    hint: "bt auth login keeps a key; --api-key-file FILE (- for standard input) and BT_API_KEY give it for one command",
    changed: "nothing",
  });
}

/** Node has put U+FFFD in the place of every byte that is not UTF-8, and the text would be sent so. */
function notText(word: string): BtError {
  const at = Buffer.byteLength(word.slice(0, word.indexOf("\ufffd")));
  return usage(`the word ${JSON.stringify(word)} is not UTF-8 at byte ${at}`, "give the text in UTF-8, or from a file");
}
