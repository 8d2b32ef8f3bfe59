/** A queued mail. */
export type OutboxMail = {
  readonly id: number;
  readonly time: string; // ISO 8601
  readonly from: string;
  readonly to: string;
  readonly host: string; // domain of the Message-ID
  readonly bug_id: number;
  readonly reasons: string;
  readonly subject: string;
  readonly body: string;
};

/** A mail in MIME format, for SMTP and .eml files; lines end in CR LF. */
export function mimeText(mail: OutboxMail): string {
  const { text, encoding } = encodeBody(mail.body);
  const headers: readonly (readonly [name: string, value: string])[] = [
    ["Date", rfcDate(mail.time)],
    ["From", oneLine(mail.from)],
    ["To", oneLine(mail.to)],
    ["Subject", encodeHeader(oneLine(mail.subject))],
    ["Message-ID", `<bug-${mail.bug_id}-${mail.id}@${mail.host}>`],
    ["References", `<bug-${mail.bug_id}@${mail.host}>`],
    ["Auto-Submitted", "auto-generated"],
    ["X-Bugzilla-Reason", oneLine(mail.reasons)],
    ["MIME-Version", "1.0"],
    ["Content-Type", "text/plain; charset=UTF-8"],
    ["Content-Transfer-Encoding", encoding],
  ];
  return `${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${text}`;
}

/** A mail as readable text, without encodings. */
export function readableMailText({ time, from, to, reasons, subject, body }: Omit<OutboxMail, "host">): string {
  return `Date: ${rfcDate(time)}\nFrom: ${from}\nTo: ${to}\nReason: ${reasons}\nSubject: ${subject}\n\n${body}`;
}

// No line breaks, so that no value can add a header.
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, " ");
}

function rfcDate(time: string): string {
  return new Date(time).toUTCString().replace("GMT", "+0000");
}

const ENCODED_BYTES = 45;

/** A header value in ASCII: unchanged if printable, otherwise as RFC 2047 encoded words, one per line. */
function encodeHeader(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text) && text.length < 900) return text;
  const chunks: string[] = [""];
  for (const character of text) {
    const last = chunks.at(-1) ?? "";
    if (Buffer.byteLength(last + character) > ENCODED_BYTES) {
      chunks.push(character);
    } else {
      chunks[chunks.length - 1] = last + character;
    }
  }
  return chunks.map((chunk) => `=?UTF-8?B?${Buffer.from(chunk).toString("base64")}?=`).join("\r\n ");
}

type EncodedBody = { readonly text: string; readonly encoding: "7bit" | "base64" };

const MAX_LINE_LENGTH = 998;

function encodeBody(body: string): EncodedBody {
  const text = body.replace(/\r?\n/g, "\r\n");
  const isPlain =
    /^[\t\r\n\x20-\x7e]*$/.test(text) && text.split("\r\n").every((line) => line.length <= MAX_LINE_LENGTH);
  return isPlain
    ? { text, encoding: "7bit" }
    : {
        text: Buffer.from(text)
          .toString("base64")
          .replace(/.{1,76}/g, "$&\r\n"),
        encoding: "base64",
      };
}
