import type { Json } from "../../wire/exchange.ts";

/** The XML that answers a call with a value. */
export function encodeAnswer(value: Json): string {
  return document(`<params><param>${encoded(value)}</param></params>`);
}

/** The XML that refuses a call. */
export function encodeFault(code: number, message: string): string {
  return document(`<fault>${encoded({ faultCode: code, faultString: message })}</fault>`);
}

function document(inner: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><methodResponse>${inner}</methodResponse>`;
}

function encoded(value: Json): string {
  return `<value>${typed(value)}</value>`;
}

function typed(value: Json): string {
  if (value === null) return "<nil/>";
  if (Array.isArray(value)) return `<array><data>${value.map(encoded).join("")}</data></array>`;
  if (typeof value === "object") {
    const members = Object.entries(value).map(
      ([name, one]) => `<member><name>${escaped(name)}</name>${encoded(one)}</member>`,
    );
    return `<struct>${members.join("")}</struct>`;
  }
  return scalar(value as boolean | number | string);
}

function scalar(value: boolean | number | string): string {
  if (typeof value === "boolean") return `<boolean>${value ? 1 : 0}</boolean>`;
  if (typeof value === "number") return Number.isInteger(value) ? `<int>${value}</int>` : `<double>${value}</double>`;
  return `<string>${escaped(value)}</string>`;
}

// What XML cannot hold at all becomes the sign for something lost.
function escaped(text: string): string {
  return text
    .replace(/(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
