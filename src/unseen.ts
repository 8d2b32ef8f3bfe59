/** A text without what does not show, and where each of its characters stood. */
export type Seen = { readonly text: string; readonly placeOf: (offset: number) => number };

/**
 * A text as a terminal shows it, in every way to read it: without control sequences and what has no shape or width, and
 * without the latter alone; as they are, and as JSON, HTML and `plain` write them. Line breaks and tabs do show. Nothing when
 * all of it shows.
 */
export function seenIn(text: string): readonly Seen[] {
  if (text.search(SEQUENCES) < 0) return [];
  return [SEQUENCES, CHARACTERS].map((unseen) => without(text, unseen));
}

function without(text: string, unseen: RegExp): Seen {
  const cuts: { readonly at: number; readonly removed: number }[] = []; // by the offset in what is left
  let [left, end] = ["", 0];
  for (const { 0: found, index } of text.matchAll(unseen)) {
    left += text.slice(end, index);
    end = index + found.length;
    cuts.push({ at: left.length, removed: end - left.length });
  }
  const placeOf = (offset: number) => offset + (cuts.findLast(({ at }) => at <= offset)?.removed ?? 0);
  return { text: left + text.slice(end), placeOf };
}

const HEX = "[0-9a-f]";
const SLASHES = "\\\\{1,8}"; // of JSON in JSON in JSON
const LOW = `(?:[01]${HEX}|7f|[89]${HEX}|ad)`;
const HIGH = `03[0-6]${HEX}|061c|115f|1160|17b[45]|180[b-f]|20[0236]${HEX}|3164|fe[02f]${HEX}|ffa0|db40${SLASHES}ud[cd]${HEX}{2}`;
const START = `(?:\\x1b|${SLASHES}(?:u001b|x1b))`;
const BELL = `(?:\\x07|${SLASHES}(?:u0007|x07))`;

/** Characters without a shape or a width. */
const SINGLE = [
  "(?![\\t\\n\\r])[\\p{Cc}\\p{Cf}\\p{Mn}\\p{Me}\\p{Default_Ignorable_Code_Point}]",
  `${SLASHES}(?:u(?!000[9ad])00${LOW}|u(?:${HIGH})|u\\{e0[01]${HEX}{2}\\}|x${LOW})`,
  "&(?:#0*(?:173|820[3-7]|8288|65279)|#x0*(?:ad|200[b-f]|2060|feff)|shy|zwn?j|zerowidthspace);",
];

/** What drives a terminal: control sequences, commands with a text such as a link, and short ones. */
const DRIVING = [
  `(?:${START}\\[|\\x9b|${SLASHES}(?:u009b|x9b))[0-?]{0,64}[ -/]{0,8}[@-~]`,
  `${START}[\\]PX^_][^\\x07\\x1b\\\\]{0,400}(?:${BELL}|${START}(?:(?:\\\\\\\\){1,8}|\\\\))`,
  `${START}[ -/]{0,8}[0-OQ-WYZ\`a-~]`,
];

const CHARACTERS = new RegExp(SINGLE.join("|"), "giu");
const SEQUENCES = new RegExp([...DRIVING, ...SINGLE].join("|"), "giu");
