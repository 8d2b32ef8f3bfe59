/** New numbers of moved objects; undefined for objects that are not moved, or whose number is not known yet. */
export type Renumbering = {
  readonly bug: (old: number) => number | undefined;
  readonly comment: (bug: number, old: number) => number | undefined; // bug: its old number
  readonly attachment: (old: number) => number | undefined;
  readonly source: string; // address of the source, whose links are rewritten
};

/**
 * A text of the bug `about` with the numbers that bugs, comments and attachments have after a move; the old ones stay in
 * parentheses. What has no new number loses the form that trackers link: `bug 12` becomes `bug no. 12 (old number)`.
 * @see https://bugzilla.readthedocs.io/en/5.2/using/tips.html#autolinkification
 */
export function renumbered(text: string, about: number, to: Renumbering): string {
  return text.replace(REFERENCE, (...found) => {
    const parts = found.at(-1) as Parts;
    const [whole] = found as [string];
    if (parts.address !== undefined) return movedAddress(whole, to);
    if (parts.many !== undefined) return `${parts.word}${parts.many.replace(/#?(\d+)/g, (one) => listed(one, to))}`;
    if (parts.bug !== undefined) return movedBug(whole, parts, to);
    if (parts.attachment !== undefined) return movedPart(whole, parts.attachment, to.attachment);
    return movedPart(whole, parts.comment ?? "", (old) => to.comment(about, old));
  });
}

type Parts = {
  readonly address?: string;
  readonly word?: string;
  readonly many?: string;
  readonly bugWord?: string;
  readonly bug?: string;
  readonly commentWord?: string;
  readonly ofBug?: string;
  readonly attachment?: string;
  readonly comment?: string;
};

const NUMBER = String.raw`#?\d+(?![\w-]|\.\d)`;
const BEFORE = String.raw`(?<![\w/.-])`;

const REFERENCE = new RegExp(
  [
    String.raw`(?<address>https?:\/\/[^\s<>"\`()[\]{}]+)`,
    String.raw`${BEFORE}(?<word>bugs\s+)(?<many>${NUMBER}(?:(?:\s*,\s*|\s+)(?:(?:and|or|&)\s+)?${NUMBER})*)`,
    String.raw`${BEFORE}(?<bugWord>bug\s*)(?<bug>${NUMBER})(?:(?<commentWord>\s*,?\s*comment\s*)(?<ofBug>${NUMBER}))?`,
    String.raw`${BEFORE}attachment\s*(?<attachment>${NUMBER})`,
    String.raw`${BEFORE}comment\s*(?<comment>${NUMBER})`,
  ].join("|"),
  "gi",
);

function numberIn(text: string): number {
  return Number(text.replace("#", ""));
}

function movedBug(whole: string, { bugWord = "", bug = "", commentWord = "", ofBug }: Parts, to: Renumbering): string {
  const old = numberIn(bug);
  const now = to.bug(old);
  if (ofBug === undefined) return now === old ? whole : `${bugWord}${listed(bug, to)}`;
  const count = numberIn(ofBug);
  const comment = to.comment(old, count);
  if (now === old && comment === count) return whole;
  if (now !== undefined && comment === undefined)
    return `${bugWord}${listed(bug, to)}, comment no. ${count} (old number)`;
  if (now === undefined) return `${bugWord}no. ${old}, comment no. ${count} (old numbers)`;
  return `${bugWord}${sign(bug)}${now}${commentWord}${sign(ofBug)}${comment} (was ${old}#c${count})`;
}

/** A number of a bug with its old one. */
function listed(text: string, to: Renumbering): string {
  const old = numberIn(text);
  const now = to.bug(old);
  if (now === old) return text;
  return now === undefined ? `no. ${old} (old number)` : `${sign(text)}${now} (was ${old})`;
}

/** The # before a number, if there is one. */
function sign(text: string): string {
  return text.startsWith("#") ? "#" : "";
}

function movedPart(whole: string, text: string, find: (old: number) => number | undefined): string {
  const old = numberIn(text);
  const now = find(old);
  if (now === old) return whole;
  const word = whole.slice(0, whole.length - text.length);
  return now === undefined ? `${word}no. ${old} (old number)` : `${word}${sign(text)}${now} (was ${old})`;
}

/** An address of the source as the bug or attachment that it names; other addresses stay. */
function movedAddress(whole: string, to: Renumbering): string {
  const address = whole.replace(/[.,;:!?'*_]+$/, "");
  const rest = whole.slice(address.length);
  if (!address.toLowerCase().startsWith(`${to.source.toLowerCase()}/`)) return whole;
  const path = address.slice(to.source.length + 1);
  const [, kind, number = "", count] = /^(show_bug|attachment)\.cgi\?id=(\d+)(?:#c(\d+))?$/.exec(path) ?? [];
  const now = kind === "attachment" ? to.attachment(Number(number)) : kind && to.bug(Number(number));
  if (now === undefined || now === "") return whole;
  const noun = kind === "attachment" ? "attachment" : "bug";
  const comment = count === undefined ? undefined : to.comment(Number(number), Number(count));
  return `${noun} ${now}${comment === undefined ? "" : ` comment ${comment}`} (was ${address})${rest}`;
}
