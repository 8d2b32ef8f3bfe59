/** Whether a stored comment or description is the text that was sent: trackers keep one kind of line end and cut blanks at the end. */
export function isStoredAs(sent: string, stored: string): boolean {
  return normalised(sent) === normalised(stored);
}

/** A summary as trackers store it: control characters become blanks. */
export function storedSummary(text: string): string {
  return text.replace(/\p{Cc}/gu, " ").trim();
}

function normalised(text: string): string {
  return text.replace(/\r\n?/g, "\n").trimEnd();
}
