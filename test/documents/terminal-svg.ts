/** Output of a terminal, with its escape sequences, and the command line that was typed for it. */
type Screen = { readonly command: string; readonly printed: string; readonly columns: number };

/** Picture of a terminal as SVG, on a dark or light ground like the reader's page. */
export function terminalSvg({ command, printed, columns }: Screen): string {
  const lines = [[{ text: `$ ${command}`, style: "font-weight:bold" }], ...printed.trimEnd().split("\n").map(runsOf)];
  const width = columns * CELL + 2 * MARGIN;
  const height = lines.length * LINE + 2 * MARGIN;
  const rows = lines.map((runs, at) => rowOf(runs, MARGIN + at * LINE + BASELINE));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(`Output of ${command}`)}</title>`,
    STYLE,
    `<rect width="${width}" height="${height}" rx="6"/>`,
    ...rows.filter((row) => row !== ""),
    "</svg>",
    "",
  ].join("\n");
}

type Run = { readonly text: string; readonly style: string };

/**
 * Text of a line by style.
 * @throws Error for a sequence that is no style, such as one that moves the cursor
 */
function runsOf(line: string): readonly Run[] {
  const [plain = "", ...rest] = line.replaceAll(LINK, "").split(ESC);
  const runs: Run[] = [{ text: plain, style: "" }];
  let style: Style = { weight: "", color: "" };
  for (const piece of rest) {
    const [, codes, text = ""] = /^\[([\d;]+)m(.*)$/.exec(piece) ?? [];
    style = styleAfter(style, codes ?? piece);
    runs.push({ text, style: [style.weight, style.color].filter(Boolean).join(";") });
  }
  return runs;
}

type Style = { readonly weight: string; readonly color: string };

/** Bold, one of 256 colours, or the end of these. */
function styleAfter(style: Style, codes: string): Style {
  const change = CHANGES[codes];
  return { ...style, ...(change ?? { color: `fill:${hex(codes)}` }) };
}

const CHANGES: Readonly<Record<string, Partial<Style>>> = {
  1: { weight: "font-weight:bold" },
  22: { weight: "" },
  39: { color: "" },
};

function rowOf(runs: readonly Run[], y: number): string {
  let column = 0;
  return runs
    .map(({ text, style }) => {
      const word = text.trim();
      const x = MARGIN + (column + text.indexOf(word)) * CELL;
      column += text.length;
      const look = style === "" ? "" : ` style="${style}"`;
      return word && `<text x="${x}" y="${y}" textLength="${word.length * CELL}"${look}>${escaped(word)}</text>`;
    })
    .join("");
}

/** Colour of `38;5;N` in the cube of 6x6x6, or the grays after it. */
function hex(codes: string): string {
  const [, digits] = /^38;5;(\d+)$/.exec(codes) ?? [];
  const index = Number(digits) - 16;
  if (!(index >= 0)) throw new Error(`the picture has no style for ${codes}`);
  const level = (place: number) => CUBE[Math.floor(index / place) % 6] ?? 0;
  const gray = 8 + 10 * (index - 216);
  const parts = index < 216 ? [level(36), level(6), level(1)] : [gray, gray, gray];
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

const ESC = "\u001b";
const LINK = new RegExp(`${ESC}\\]8;[^\\u0007${ESC}]*(?:\\u0007|${ESC}\\\\)`, "g"); // of OSC 8
const CUBE = [0, 95, 135, 175, 215, 255];
const CELL = 8;
const LINE = 20;
const BASELINE = 15;
const MARGIN = 12;
const STYLE = `<style>
rect { fill: #f6f8fa; stroke: #d0d7de }
text { fill: #1f2328; font: 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre }
@media (prefers-color-scheme: dark) { rect { fill: #0d1117; stroke: #30363d } text { fill: #e6edf3 } }
</style>`;
