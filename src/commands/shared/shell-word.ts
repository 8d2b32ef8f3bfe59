import type { SessionFlags } from "../../session/flags.ts";
import { width } from "../../view/wrap.ts";

/** A word as it is typed in a shell: in double quotes if it has single ones and nothing that means something between double ones. */
export function shellWord(text: string): string {
  if (/^[\w.,/:@%+=-]+$/.test(text)) return text;
  return /'/.test(text) && !/["$`\\!]/.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The flags that name the tracker of a command, behind a line to paste. */
export function trackerWords({ baseUrl, profile }: SessionFlags): string {
  return `${baseUrl ? ` --base-url ${shellWord(baseUrl)}` : ""}${profile ? ` -P ${shellWord(profile)}` : ""}`;
}

/** Words of a shell, escaped, in lines of at most so many columns that a shell joins again; a longer word stays whole. */
export function brokenCommand(line: string, columns: number): string {
  const [first = "", ...words] = line.split(" ");
  return words.reduce((text, word) => {
    const used = width(text.slice(text.lastIndexOf("\n") + 1));
    if (used + width(word.split("\n")[0] ?? "") + LINE_END <= columns) return `${text} ${word}`;
    const [quote] = /['"]/.exec(text.replace(/'[^']*'|"[^"]*"|\\./gs, "")) ?? [];
    return `${text}${quote === undefined ? " \\\n  " : ` ${quote}\\\n${quote}`}${word}`;
  }, first);
}

const LINE_END = " '\\ ".length; // columns of the longest end of a line, and of the space before a word
