/** Bar of a sign for a share of the longest bar; anything but nothing is at least one sign long. */
export function barText(share: number, length: number, sign: string): string {
  return share > 0 ? sign.repeat(Math.max(1, Math.round(Math.min(1, share) * length))) : "";
}
