import { Fault } from "../fault.ts";

const SHORTEST = 3;
const LONGEST = 24;

/** A comment tag, refused when it is too short, too long, or not of letters, digits, dots, dashes and underscores. */
export function readTag(tag: string): string {
  const length = [...tag].length;
  if (length < SHORTEST) throw new Fault(400, 128, `Comment tags must be at least ${SHORTEST} characters.`);
  if (length > LONGEST) throw new Fault(400, 127, `Comment tags cannot be longer than ${LONGEST} characters.`);
  if (!/^[\p{L}\p{N}_.-]+$/u.test(tag)) {
    throw new Fault(400, 126, `The comment tag "${tag.replace(/\s+/g, " ")}" contains invalid characters or words.`);
  }
  return tag;
}
