import { Fault } from "../fault.ts";

const MAX_LENGTH = 50;

/** A name for a flag type. Code 1101. */
export function readFlagTypeName(text: string): string {
  const name = text.trim();
  if (name === "" || [...name].length > MAX_LENGTH || /[\s,]/.test(name)) {
    const said = name === "" ? "" : `${name} `;
    throw new Fault(
      400,
      1101,
      `The name ${said}must be 1-${MAX_LENGTH} characters long and must not contain any spaces or commas.`,
    );
  }
  return name;
}

/** What a flag type is for, in words. Code 1102. */
export function readFlagTypeDescription(text: string): string {
  const description = text.trim();
  if (description === "") throw new Fault(400, 1102, "You must enter a description for this flag type.");
  return description;
}
