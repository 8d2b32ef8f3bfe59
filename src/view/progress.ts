const BAR = 30;

/** A line that tells how far long work is, to be drawn over the one before; narrow terminals get the numbers alone. */
export function progressLine(done: number, total: number, width: number): string {
  const numbers = `${done} of ${total}`;
  if (width < BAR + numbers.length + 4) return `\r${numbers}`;
  const full = total === 0 ? BAR : Math.floor((done / total) * BAR);
  return `\r[${"#".repeat(full)}${"-".repeat(BAR - full)}] ${numbers}`;
}

/** Takes such a line away. */
export const NO_PROGRESS = "\r\u001b[K";
