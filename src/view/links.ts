import type { View } from "./view.ts";

/**
 * Text whose URLs are links of the terminal (OSC 8), and `bug 12`, `comment 3` and `bug 12 comment 3` links to the
 * tracker's pages. A URL links to nothing but itself. The text is already escaped and wrapped; unchanged without links.
 * @see https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda
 */
export function withLinks(
  text: string,
  { web, isLinked }: { web?: View["web"]; isLinked?: View["isLinked"] },
  bug?: number,
): string {
  if (!isLinked) return text;
  const urls = text.replace(URLS, (url) => {
    const shown = url.replace(AFTER_URL, "");
    return terminalLink(shown, shown) + url.slice(shown.length);
  });
  if (web === undefined) return urls;
  return urls.replace(MENTIONS, (mention) => {
    const numbers = mention.match(/\d+/g) ?? [];
    const [id, part] = /^b/i.test(mention) ? numbers : [bug, numbers[0]];
    return id === undefined
      ? mention
      : terminalLink(mention, `${bugPage(web, id)}${part === undefined ? "" : `#c${part}`}`);
  });
}

export function bugPage(web: string, id: number | string): string {
  return `${web}/show_bug.cgi?id=${id}`;
}

const URLS = /https?:\/\/[\x21\x23-\x26\x28-\x3b\x3d\x3f-\x7e]+/g; // printable ASCII but quotes and angle brackets
const AFTER_URL = /[.,;:!?*_]+$|\)[.,;:!?]*$/;
const MENTIONS = /(?<![\w/.#-])(?:bug #?\d{1,9}(?:,? comment #?\d{1,6})?|comment #?\d{1,6})(?![\w-])/gi;

function terminalLink(text: string, target: string): string {
  return `\u001b]8;;${target}\u001b\\${text}\u001b]8;;\u001b\\`;
}
