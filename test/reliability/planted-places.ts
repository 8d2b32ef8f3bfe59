import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A key whose spellings in URLs and base64 differ. */
export const KEY = "pLantedK3y&+/=mIddleK3y%endOfK3y";

/** The ways in which a server, a log or a file may write a key. */
const SPELLINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => encodeURIComponent(text),
  (text) => JSON.stringify(text),
  (text) => Buffer.from(text).toString("base64"),
];

/** The key in the nth of these ways. */
export function spelled(n: number): string {
  return (SPELLINGS[n % SPELLINGS.length] as (text: string) => string)(KEY);
}

/** Texts that give the key away, in small letters: its words, or a few bytes of its two ends, in any spelling. */
const TRACES: readonly string[] = [
  ...(KEY.match(/\w{8,}/g) ?? []),
  Buffer.from(KEY).toString("base64").slice(0, 12),
].map((trace) => trace.toLowerCase());

/** True if a text holds the key, or a part of it that is more than chance, in any spelling. */
export function keyIn(text: string): boolean {
  return traceIn(text) !== undefined;
}

/** Place that gives the key away in a text, with the text beside it. */
export function traceIn(text: string): string | undefined {
  const small = text.toLowerCase();
  const trace = TRACES.find((one) => small.includes(one));
  return trace && small.slice(Math.max(0, small.indexOf(trace) - 60)).slice(0, 120 + trace.length);
}

/** Surroundings of a command that has the key, and the folder that holds all it may write to. */
export type Planted = {
  readonly folder: string;
  readonly vault: string; // where sources that are no file of bt have it from
  readonly env: Readonly<Record<string, string>>;
  readonly flags: string;
  readonly stdin: string;
};

/** The tracker that the key is for, and how the key is to be shown to it. */
type For = { readonly url: string; readonly style: string };

/** Every place that a key may come from; what is written for it lies outside the folder that is searched, or is one of `OWN`. */
export const SOURCES = {
  environment: () => ({ env: { BT_API_KEY: KEY } }),
  "key file": ({ vault }) => ({ flags: `--api-key-file ${vault}/key` }),
  stdin: () => ({ flags: "--api-key-file -", stdin: KEY }),
  "stored login": (place, to) => storeLogin(place, { ...to, key: KEY }),
  helper: ({ folder }) => storeSettings(folder, { auth_helper: `${folder}/bin/helper` }),
  keyring: (place, { url, style }) => storeLogin(place, { url, style }, RINGED),
} as const satisfies Readonly<Record<string, (place: Place, to: For) => Partial<Planted>>>;

/** The name of such a place. */
export type Source = keyof typeof SOURCES;

type Place = { readonly folder: string; readonly vault: string };

const RINGED = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" };

/** A home in which a source has the key, with programs that tell what they are started with. */
export function planted(source: Source, to: For): Planted {
  const folder = mkdtempSync(join(tmpdir(), "bt-planted-"));
  const vault = mkdtempSync(join(tmpdir(), "bt-vault-"));
  writeFileSync(`${vault}/key`, KEY, { mode: 0o600 });
  for (const name of ["bin", "told", "config/bt"]) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  for (const [name, script] of Object.entries(PROGRAMS)) writeProgram({ folder, vault }, name, script);
  const given: Partial<Planted> = SOURCES[source]({ folder, vault }, to);
  const { env, flags = "", stdin = "" } = given;
  const around = { BT_BASE_URL: to.url, BT_AUTH_STYLE: to.style, NO_COLOR: "1" };
  return { folder, vault, flags, stdin, env: { ...surroundings(folder), ...around, ...env } };
}

function surroundings(folder: string): Readonly<Record<string, string>> {
  const programs = { BT_PAGER: "pager", BT_EDITOR: "editor", BT_BROWSER: `${folder}/bin/browser` };
  const kinds = ["CONFIG", "CACHE", "STATE", "DATA"].map((kind) => [
    `XDG_${kind}_HOME`,
    join(folder, kind.toLowerCase()),
  ]);
  return { HOME: folder, PATH: `${folder}/bin:/usr/bin:/bin`, ...programs, ...Object.fromEntries(kinds) };
}

function storeLogin({ folder }: Place, { url, ...login }: For & { readonly key?: string }, env = {}): Partial<Planted> {
  const entries = [{ origin: url, user: "me@example.org", added: "2026-11-20T00:00:00Z", ...login }];
  writeFileSync(join(folder, "config/bt/credentials.json"), JSON.stringify({ version: 1, entries }), { mode: 0o600 });
  return { env };
}

function storeSettings(folder: string, settings: object): Partial<Planted> {
  writeFileSync(join(folder, "config/bt/config.json"), JSON.stringify(settings));
  return {};
}

/** Behaviour of each program after it has told what it was started with. */
const PROGRAMS: Readonly<Record<string, string>> = {
  pager: "cat > /dev/null",
  editor: 'echo "Seen again" > "$1"',
  browser: "",
  helper: 'printf "key=%s\\n" "$(cat VAULT/key)"',
  "secret-tool": 'cat > /dev/null; printf "%s" "$(cat VAULT/key)"',
};

function writeProgram({ folder, vault }: Place, name: string, script: string): void {
  const told = `{ cat /proc/$$/environ /proc/$$/cmdline /proc/$PPID/cmdline; } > ${vault}/$$; mv ${vault}/$$ ${folder}/told/${name}`;
  writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${told}\n${script.replace("VAULT", vault)}\n`, { mode: 0o700 });
}

/** Files in which the key may lie. */
const OWN = ["credentials.json"];

/** The files that a command has left, and what programs were started with: name and content. */
export function filesIn(folder: string): readonly (readonly [name: string, text: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !OWN.includes(entry.name) && !entry.parentPath.endsWith("/bin"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file.slice(folder.length + 1), readFileSync(file, "latin1")] as const);
}
