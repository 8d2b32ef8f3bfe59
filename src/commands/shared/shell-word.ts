/** A word as it is typed in a shell. */
export function shellWord(text: string): string {
  return /^[\w.,/:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
