import { join } from "node:path";
import type { Secret } from "../secret.ts";
import { readSmallFile, type Surroundings } from "./files.ts";
import { checkedKey } from "./key.ts";

/** Key of another client for the same tracker. */
export type ForeignLogin = { readonly key: Secret; readonly user: string | undefined; readonly file: string };

/**
 * Key stored by python-bugzilla (`.bugzillarc`) or pybugz (`.bugzrc`) for exactly this host. Other clients accept any
 * section whose name is part of the address.
 */
export function foreignLogin(baseUrl: string, { env, platform }: Surroundings): ForeignLogin | undefined {
  const home = env[platform.home];
  if (!home) return undefined;
  const host = new URL(baseUrl).host;
  for (const name of FILES) {
    const file = join(home, name);
    const sections = readSections(readSmallFile(file)?.text ?? "").filter(({ key }) => key !== undefined);
    const own = sections.find(({ places }) => places.some((place) => hostOf(place) === host));
    if (own?.key) return { key: checkedKey(own.key, file), user: own.user, file };
  }
  return undefined;
}

const FILES = [".config/python-bugzilla/bugzillarc", ".bugzillarc", ".bugzrc"];

type Section = {
  places: (string | undefined)[]; // address or host of the section
  key: string | undefined;
  user: string | undefined;
};

function readSections(text: string): Section[] {
  const parts = text.split(/^\s*\[/m).slice(1);
  return parts.map((part) => {
    const [head = "", ...lines] = part.split(/\r?\n/);
    const values = new Map(lines.flatMap(pairOf));
    return {
      places: [head.replace(/\].*$/, "").trim(), values.get("base"), values.get("url")],
      key: values.get("api_key") ?? values.get("key"),
      user: values.get("user"),
    };
  });
}

function pairOf(line: string): [string, string][] {
  const [, name, value] = /^\s*([\w.]+)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? [];
  return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value]];
}

/** Host of a section named by URL or by host. */
function hostOf(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  const address = text.includes("://") ? text : `https://${text}`;
  return URL.canParse(address) ? new URL(address).host : undefined;
}
