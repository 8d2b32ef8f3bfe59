import { usageError } from "../../errors.ts";

/** Maximum length of a description (characters). */
export const MAX_DESCRIPTION = 65_535;

/** Maximum lengths (characters) of texts; trackers refuse or truncate longer ones. */
const TEXT_LIMITS: Readonly<Record<string, number>> = {
  summary: 255,
  alias: 40,
  see_also: 255,
  url: 65535,
  comment: 65535,
  description: MAX_DESCRIPTION,
};

/**
 * The text itself.
 * @throws BtError of kind usage if a tracker would refuse or change it: too long, blank where text is required, or with
 * control characters
 */
export function checkedText(name: string, text: string): string {
  const most = TEXT_LIMITS[name];
  const length = [...text].length;
  if (most !== undefined && length > most)
    throw usageError(`the ${name} has ${length} characters; the maximum is ${most}`);
  const bad = [...text].findIndex((character) => UNWANTED.test(character));
  if (bad >= 0) throw usageError(`the ${name} contains a control character at position ${bad + 1}`);
  if (BLANK_IS_WRONG.has(name) && text.trim() === "") throw usageError(`the ${name} is empty`);
  if (name === "alias" && /[\s,]/.test(text)) {
    throw usageError(
      `the alias ${JSON.stringify(text)} contains a ${/\s/.test(text) ? "space" : "comma"}`,
      "an alias is one word, such as printer-queue",
    );
  }
  return text;
}

/** Control characters and lone surrogates; tabs and line breaks are allowed. */
const UNWANTED = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;
const BLANK_IS_WRONG = new Set(["summary", "comment", "alias"]);
