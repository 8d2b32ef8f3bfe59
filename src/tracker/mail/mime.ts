/** A mail of the outbox with all that its text needs. */
export type OutboxMail = {
  readonly id: number;
  readonly time: string; // ISO 8601
  readonly from: string;
  readonly to: string;
  readonly host: string; // where the mail's own name belongs to
  readonly bug_id: number;
  readonly reasons: string;
  readonly subject: string;
  readonly body: string;
};

/** A mail as it goes over the wire and into .eml files: headers, then the text; lines end in CR LF. */
export function mimeText(mail: OutboxMail): string {
  const { text, encoding } = encodedBody(mail.body);
  const headers: readonly (readonly [name: string, value: string])[] = [
    ["Date", rfcDate(mail.time)],
    ["From", oneLine(mail.from)],
    ["To", oneLine(mail.to)],
    ["Subject", encodedWords(oneLine(mail.subject))],
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

/** A mail as people read it, with nothing encoded. */
export function readableMailText({ time, from, to, reasons, subject, body }: Omit<OutboxMail, "host">): string {
  return `Date: ${rfcDate(time)}\nFrom: ${from}\nTo: ${to}\nReason: ${reasons}\nSubject: ${subject}\n\n${body}`;
}

// A header ends at the end of its line, so that no text can start another one.
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, " ");
}

function rfcDate(time: string): string {
  return new Date(time).toUTCString().replace("GMT", "+0000");
}

const ENCODED_BYTES = 45;

/** A header's text in ASCII: pieces of UTF-8 in base64, each a line of its own; plain texts as they are. */
function encodedWords(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text) && text.length < 900) return text;
  const pieces: string[] = [""];
  for (const sign of text) {
    const last = pieces.at(-1) ?? "";
    if (Buffer.byteLength(last + sign) > ENCODED_BYTES) {
      pieces.push(sign);
    } else {
      pieces[pieces.length - 1] = last + sign;
    }
  }
  return pieces.map((piece) => `=?UTF-8?B?${Buffer.from(piece).toString("base64")}?=`).join("\r\n ");
}

type Encoded = { readonly text: string; readonly encoding: "7bit" | "base64" };

const MAX_LINE_LENGTH = 998;

function encodedBody(body: string): Encoded {
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
