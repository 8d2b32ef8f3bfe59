import type { Json } from "../../wire/exchange.ts";
import { Fault } from "./fault.ts";

/** An XML-RPC call: method name, and parameters as JSON values. */
export type RpcCall = { readonly method: string; readonly params: readonly Json[] };

/** Parses the XML of a call. @throws Fault 32000 if it is not valid XML-RPC */
export function decodeCall(xml: string): RpcCall {
  const reader: TokenReader = { tokens: tokensOf(xml), at: 0 };
  expect(reader, "<methodCall>");
  expect(reader, "<methodName>");
  const method = text(reader);
  expect(reader, "</methodName>");
  const params: Json[] = [];
  if (accept(reader, "<params>")) {
    while (accept(reader, "<param>")) {
      params.push(value(reader));
      expect(reader, "</param>");
    }
    expect(reader, "</params>");
  }
  expect(reader, "</methodCall>");
  return { method, params };
}

type TokenReader = { readonly tokens: readonly string[]; at: number };

/** Tags without white space, and the text between them; `<x/>` becomes `<x></x>`. */
function tokensOf(xml: string): readonly string[] {
  if (/<!(?!\[CDATA\[)/.test(xml)) throw malformed("declarations are not read");
  const parts = xml.replace(/<\?[^?]*\?>/g, "").match(/<[^<>]*>|[^<]+/g) ?? [];
  return parts.flatMap((part) => {
    const [, name = ""] = /^<([\w.]+)\s*\/>$/.exec(part) ?? [];
    return name === "" ? [part.startsWith("<") ? part.replace(/\s/g, "") : part] : [`<${name}>`, `</${name}>`];
  });
}

function value(reader: TokenReader): Json {
  expect(reader, "<value>");
  const [, type] = /^<(\w[\w.]*)>$/.exec(peek(reader, true)) ?? [];
  const read = type !== undefined && Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (type !== undefined && read === undefined) throw malformed(`the type ${type} is not known`);
  const result = read ? readTyped(reader, type ?? "", read) : text(reader);
  expect(reader, "</value>");
  return result;
}

function readTyped(reader: TokenReader, type: string, read: (reader: TokenReader) => Json): Json {
  expect(reader, `<${type}>`);
  const result = read(reader);
  expect(reader, `</${type}>`);
  return result;
}

function number(reader: TokenReader): number {
  const digits = text(reader).trim();
  if (!/^[+-]?\d+(\.\d+)?$/.test(digits)) throw malformed(`${JSON.stringify(digits)} is not a number`);
  return Number(digits);
}

const TYPES: Readonly<Record<string, (reader: TokenReader) => Json>> = {
  string: (reader) => text(reader),
  int: number,
  i4: number,
  double: number,
  boolean: (reader) => text(reader).trim() === "1",
  nil: () => null,
  "dateTime.iso8601": (reader) => isoTime(text(reader).trim()),
  base64: (reader) => text(reader).replace(/\s/g, ""), // the JSON interface takes base64 too
  array: (reader) => {
    const items: Json[] = [];
    expect(reader, "<data>");
    while (peek(reader) === "<value>") {
      items.push(value(reader));
    }
    expect(reader, "</data>");
    return items;
  },
  struct: (reader) => {
    const members: [string, Json][] = [];
    while (accept(reader, "<member>")) {
      expect(reader, "<name>");
      const name = text(reader);
      expect(reader, "</name>");
      members.push([name, value(reader)]);
      expect(reader, "</member>");
    }
    return Object.fromEntries(members);
  },
};

/** `20261120T12:00:00` is `2026-11-20T12:00:00Z`. */
function isoTime(time: string): string {
  return time.replace(/^(\d{4})(\d\d)(\d\d)T([\d:]+)Z?$/, "$1-$2-$3T$4Z");
}

function isBlank(token: string): boolean {
  return !token.startsWith("<") && token.trim() === "";
}

/** The next token after layout white space; with `near`, the text of an empty value is kept. */
function peek(reader: TokenReader, near = false): string {
  const isLayout = () =>
    isBlank(reader.tokens[reader.at] ?? "<") && (!near || reader.tokens[reader.at + 1] !== "</value>");
  while (isLayout()) {
    reader.at += 1;
  }
  return reader.tokens[reader.at] ?? "";
}

function accept(reader: TokenReader, tag: string): boolean {
  const isNext = peek(reader) === tag;
  reader.at += isNext ? 1 : 0;
  return isNext;
}

function expect(reader: TokenReader, tag: string): void {
  if (!accept(reader, tag)) throw malformed(`${tag} was expected`);
}

function text(reader: TokenReader): string {
  const token = reader.tokens[reader.at] ?? "";
  if (token.startsWith("<")) return "";
  reader.at += 1;
  return token.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos));/gi, (_, ...found: string[]) =>
    character(found),
  );
}

function character([decimal, hex, name]: readonly (string | undefined)[]): string {
  if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? "";
  const code = Number.parseInt(decimal ?? hex ?? "", decimal === undefined ? 16 : 10);
  if (code > 0x10ffff) throw malformed(`there is no character ${code}`);
  return String.fromCodePoint(code);
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function malformed(what: string): Fault {
  return new Fault(400, 32000, `The call cannot be read: ${what}.`);
}

/** XML response with the result of a call. */
export function encodeResult(value: Json): string {
  return document(`<params><param>${encoded(value)}</param></params>`);
}

/** XML response with a fault. */
export function encodeFault(code: number, message: string): string {
  return document(`<fault>${encoded({ faultCode: code, faultString: message })}</fault>`);
}

function document(inner: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><methodResponse>${inner}</methodResponse>`;
}

function encoded(value: Json): string {
  return `<value>${writeTyped(value)}</value>`;
}

function writeTyped(value: Json): string {
  if (value === null) return "<nil/>";
  if (Array.isArray(value)) return `<array><data>${value.map(encoded).join("")}</data></array>`;
  if (typeof value === "object") {
    const members = Object.entries(value).map(
      ([name, one]) => `<member><name>${escaped(name)}</name>${encodedMember(name, one)}</member>`,
    );
    return `<struct>${members.join("")}</struct>`;
  }
  return scalar(value as boolean | number | string);
}

/** Members that JSON has as text and XML-RPC has with a type of their own. @see Bugzilla/WebService.pm, "BASIC DATA TYPES" */
function encodedMember(name: string, value: Json): string {
  if (typeof value !== "string") return encoded(value);
  if (name === "data") return `<value><base64>${escaped(value)}</base64></value>`;
  if (!TIMES.has(name) || !ISO_TIME.test(value)) return encoded(value);
  return `<value><dateTime.iso8601>${value.replace(/[-Z]/g, "")}</dateTime.iso8601></value>`;
}

const TIMES: ReadonlySet<string> = new Set([
  ...["creation_time", "last_change_time", "creation_date", "modification_date", "time", "when"],
  ...["last_visit_ts", "db_time", "web_time", "web_time_utc"],
]);
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

function scalar(value: boolean | number | string): string {
  if (typeof value === "boolean") return `<boolean>${value ? 1 : 0}</boolean>`;
  if (typeof value === "number") return Number.isInteger(value) ? `<int>${value}</int>` : `<double>${value}</double>`;
  return `<string>${escaped(value)}</string>`;
}

// Characters that XML does not allow become U+FFFD.
function escaped(text: string): string {
  return text
    .replace(/(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
