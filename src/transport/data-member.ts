/**
 * Splits a JSON body while it arrives: decodes the base64 text of the first member `data`, and returns everything else of
 * each chunk, so that the whole has an empty text there.
 */
export function divertData(write: (bytes: Uint8Array) => void): (chunk: Buffer) => Buffer {
  const opensData = dataMemberFinder();
  const decoder = base64Decoder(write);
  const before = (chunk: Buffer): Buffer[] => {
    const start = chunk.findIndex(opensData);
    if (start === -1) return [chunk];
    part = within;
    return [chunk.subarray(0, start + 1), ...within(chunk.subarray(start + 1))];
  };
  const within = (chunk: Buffer): Buffer[] => {
    const end = chunk.indexOf(QUOTE);
    decoder.take(end === -1 ? chunk : chunk.subarray(0, end));
    if (end === -1) return [];
    decoder.end();
    part = (rest) => [rest];
    return [chunk.subarray(end)];
  };
  let part = before;
  return (chunk) => Buffer.concat(part(chunk));
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SPACE = 0x20; // and all other white space below
const MEMBER = "data";

/** Reads JSON byte by byte; true for the opening quote of the text of a member `data`. */
function dataMemberFinder(): (byte: number) => boolean {
  let state: "outside" | "text" | "escape" = "outside";
  let word = ""; // the last text, or its beginning
  let isNamed = false; // after `"data":`
  const inText = (byte: number) => {
    if (state === "escape") state = "text";
    else if (byte === BACKSLASH) state = "escape";
    else if (byte === QUOTE) state = "outside";
    else if (word.length <= MEMBER.length) word += String.fromCharCode(byte);
  };
  const outside = (byte: number) => {
    isNamed = byte === COLON ? word === MEMBER : isNamed && byte <= SPACE;
    if (byte === QUOTE) [state, word] = ["text", ""];
  };
  return (byte) => {
    if (state !== "outside") inText(byte);
    else if (isNamed && byte === QUOTE) return true;
    else outside(byte);
    return false;
  };
}

/** Decodes a base64 text of a JSON string in pieces. Some servers escape its slashes, or break it into lines. */
function base64Decoder(write: (bytes: Uint8Array) => void) {
  const decoded = Buffer.alloc(PIECE);
  let left = "";
  const decode = (text: string) => write(decoded.subarray(0, decoded.write(text, "base64")));
  const takePiece = (piece: Buffer) => {
    const text = left + piece.toString("latin1");
    const cut = text.endsWith("\\") ? text.length - 1 : text.length;
    const plain = withoutEscapes(text.slice(0, cut));
    const whole = plain.length - (plain.length % 4);
    decode(plain.slice(0, whole));
    left = plain.slice(whole) + text.slice(cut);
  };
  return {
    take(chunk: Buffer) {
      for (let at = 0; at < chunk.length; at += PIECE) takePiece(chunk.subarray(at, at + PIECE));
    },
    end() {
      if (left !== "") decode(left);
    },
  };
}

const PIECE = 8 * 1024; // bytes decoded at once; larger texts are freed later

function withoutEscapes(text: string): string {
  return text.includes("\\") ? text.replace(/\\[nr]/g, "").replaceAll("\\", "") : text;
}
