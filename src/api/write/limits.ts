import { usage } from "../../errors.ts";

/** The longest text, in characters, that trackers keep; they refuse or cut what is longer. */
const TEXT_LIMITS: Readonly<Record<string, number>> = {
  summary: 255,
  alias: 40,
  see_also: 255,
  url: 65535,
  comment: 65535,
  description: 65535,
};

/** The length of a comment tag, in characters. */
export const TAG_LENGTH = { least: 3, most: 24 } as const;

/** Refuses text that a tracker would refuse or change: too long, blank where text is needed, or with control characters. */
export function checkedText(name: string, text: string): string {
  const most = TEXT_LIMITS[name];
  const length = [...text].length;
  if (most !== undefined && length > most)
    throw usage(`the ${name} has ${length} characters; at most ${most} are kept`);
  const bad = [...text].findIndex((character) => UNWANTED.test(character));
  if (bad >= 0) throw usage(`the ${name} holds a control character at character ${bad + 1}`);
  if (BLANK_IS_WRONG.has(name) && text.trim() === "") throw usage(`the ${name} is empty`);
  if (name === "alias" && /\s/.test(text)) {
    throw usage(`the alias ${JSON.stringify(text)} has a blank`, "an alias is one word, such as printer-queue");
  }
  return text;
}

/** Control characters and halves of surrogate pairs; tabs and line breaks are text. */
const UNWANTED = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;
const BLANK_IS_WRONG = new Set(["summary", "comment", "alias"]);
