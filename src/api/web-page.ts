import type { Reply } from "../wire/exchange.ts";

/** Whether a reply is a web page instead of data. */
export function isWebPage({ headers, body }: Reply): boolean {
  return (
    /\bhtml\b/i.test(headers["content-type"] ?? "") ||
    /^\s*<(?:!doctype|html|head|title|\?xml)\b/i.test(body.slice(0, 200))
  );
}

/** The title of a web page, or its first heading: one clean line, short enough for a message. */
export function pageTitle({ body }: Reply): string | undefined {
  const [, , title = ""] = /<(title|h1)\b[^>]*>(.{0,400}?)<\/\1/is.exec(body.slice(0, 20_000)) ?? [];
  const text = title.replace(/<[^>]*>/g, "").replace(/&(?:(\w+)|#(\d+));/g, entity);
  return cleanLine(text, 80) || undefined;
}

/** The beginning of a text as one line, without what does not show: nothing is to stand in parts that a terminal shows as one. */
export function cleanLine(text: string, longest: number): string {
  const line = text
    .slice(0, longest * 4)
    .replace(/\p{Cc}\[[\d;]*[a-z]/giu, "") // colours and the like
    .replace(/(?!\s)[\p{C}\p{Default_Ignorable_Code_Point}]|\ufeff/gu, "")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > longest ? `${line.slice(0, longest)}...` : line;
}

function entity(whole: string, name: string | undefined, code: string | undefined): string {
  if (code !== undefined) return Number(code) < 0x110000 ? String.fromCodePoint(Number(code)) : whole;
  return ENTITIES.get(name ?? "") ?? whole;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["nbsp", " "],
]);
