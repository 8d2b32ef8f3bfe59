import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import type { OpenedTracker } from "../../src/tracker/open.ts";
import { startServer } from "../../src/tracker/server/server.ts";
import type { Exchange } from "../../src/wire/exchange.ts";
import { type Around, bt, btConnected } from "../bt.ts";
import { freshDemo } from "../fresh-demo.ts";
import { homeFolders, putMirror } from "../mirrored.ts";
import { addApiKey } from "../servers/api-key.ts";

/** People of the demo by their rights: everything, the security group, an editor, a member without rights, and no login. */
export type Person = "ada" | "mei" | "tomas" | "sam" | "nobody";

/** Result of a command line. */
export type Said = { readonly code: number; readonly out: string; readonly err: string };

/** Surroundings of a user at a terminal: an editor, answers to prompts, and another width. */
type AtTerminal = Pick<Around, "env" | "answers" | "columns">;

/** A fresh demo in which several people run `bt`; its clock goes on by a minute with every line. */
export type Scene = {
  /** Runs a line of `bt` as a person, in a pipe or on a terminal of 100 columns without colour. */
  readonly say: (person: Person, line: string, terminal?: boolean | AtTerminal) => Promise<Said>;
  readonly store: OpenedTracker["store"];
  readonly address: string;
};

/** The ways in which a demo is reached; a story has to read the same on each. */
export const WAYS: readonly (readonly [name: string, open: () => Promise<Scene>])[] = [
  ["in this process", inProcess],
  ["over HTTP", overHttp],
];

/** The ways for stories of reading: also from mirrors, which each person has of all that they may see. */
export const READING_WAYS: typeof WAYS = [...WAYS, ["from mirrors", fromMirrors]];

async function inProcess(): Promise<Scene> {
  const { clock, opened } = open();
  const home = mkdtempSync(path.join(tmpdir(), "bt-story-"));
  onTestFinished(() => {
    opened.close();
    rmSync(home, { recursive: true, force: true });
  });
  return {
    store: opened.store,
    address: "demo:",
    say: (person, line, terminal) => {
      const userId = idOf(person, opened);
      const origin = { address: "127.0.0.1", ...(userId === undefined ? {} : { userId }) };
      return bt(line, {
        exchange: (request) => opened.tracker(request, origin),
        now: clock.next().toISOString(),
        ...(userId === undefined ? {} : { login: `${person}@example.org` }),
        ...atTerminal(terminal),
        env: { XDG_STATE_HOME: `${home}/${person}`, ...atTerminal(terminal).env },
      });
    },
  };
}

/**
 * Lines that change nothing are also run on a mirror, made when the line before had changed something; what the mirror
 * says counts, without its age, unless it refuses to answer.
 */
async function fromMirrors(): Promise<Scene> {
  const { clock, opened } = open();
  const home = mkdtempSync(path.join(tmpdir(), "bt-story-"));
  onTestFinished(() => {
    opened.close();
    rmSync(home, { recursive: true, force: true });
  });
  const made = new Set<string>();
  const mirrorOf = async (person: Person, exchange: Exchange, state: string): Promise<string> => {
    const name = `${person}-${state}`;
    const login = idOf(person, opened) === undefined ? null : `${person}@example.org`;
    if (!made.has(name)) await putMirror(exchange, { home, name, login, now: clock.now, facts: { tracker: "demo:" } });
    made.add(name);
    return name;
  };
  return {
    address: "demo:",
    store: opened.store,
    say: async (person, line, terminal) => {
      const userId = idOf(person, opened);
      const origin = { address: "127.0.0.1", ...(userId === undefined ? {} : { userId }) };
      const exchange: Exchange = (request) => opened.tracker(request, origin);
      const [before, now] = [stateOf(opened), clock.next().toISOString()];
      const login = userId === undefined ? {} : { login: `${person}@example.org` };
      const original = await bt(line, { exchange, now, ...login, ...atTerminal(terminal) });
      if (stateOf(opened) !== before) return original;
      const address = `mirror:${await mirrorOf(person, exchange, before)}`;
      const env = { ...homeFolders(home), BT_BASE_URL: address, ...atTerminal(terminal).env };
      const mirrored = await btConnected(line, { ...atTerminal(terminal), env, now });
      if (REFUSED.test(mirrored.err)) {
        expect(original.code !== 0 || BEYOND.test(line), `${line}\n${mirrored.err}`).toBe(true);
        return original;
      }
      return { ...mirrored, err: mirrored.err.replace(/^note: mirror \S+: .*\n/gm, "") };
    },
  };
}

const REFUSED = /cannot decide|is not in the mirror|is read-only/;

/** Lines that succeed on the tracker and are refused by its mirror: writes that change nothing, tags of comments, quicksearch, and aliases in the API. */
const BEYOND =
  /^(?:bug (?:create|update|confirm|dup)|comment add|tag|api (?:PUT|POST)|bug search --quicksearch|api \S+\/comment\/tags\/|api \/rest\/bug -f alias=)/;

/** A text that differs when the data of a tracker does. */
function stateOf({ store }: OpenedTracker): string {
  const tables = ["bugs", "comments", "attachments", "activity", "flags", "comment_tags", "bug_tags"];
  return tables.map((table) => store.get(`SELECT count(*) AS n FROM ${table}`)?.["n"]).join("-");
}

async function overHttp(): Promise<Scene> {
  const { clock, opened } = open();
  const served = await startServer({ tracker: opened.tracker, port: 0 });
  const home = mkdtempSync(path.join(tmpdir(), "bt-story-"));
  onTestFinished(async () => {
    await served.close();
    opened.close();
    rmSync(home, { recursive: true, force: true });
  });
  return {
    store: opened.store,
    address: served.url,
    say: (person, line, terminal) =>
      btConnected(line, {
        ...atTerminal(terminal),
        env: {
          ...homeFolders(`${home}/${person}`),
          ...{ BT_BASE_URL: served.url, ...keyOf(person, opened) },
          ...atTerminal(terminal).env,
        },
        now: clock.next().toISOString(),
      }),
  };
}

function atTerminal(terminal: boolean | AtTerminal = false): Partial<Around> {
  if (!terminal) return {};
  return { terminal: true, columns: 100, rows: 1000, ...(terminal === true ? {} : terminal) };
}

function open() {
  let minute = 0;
  const time = () => new Date(Date.parse("2026-11-20T12:00:00Z") + minute * 60_000);
  const next = () => {
    minute += 1;
    return time();
  };
  const opened = freshDemo({ now: time, random: (bytes) => new Uint8Array(bytes) });
  return { clock: { next, now: time }, opened };
}

function idOf(person: Person, { store }: OpenedTracker): number | undefined {
  return store.get("SELECT id FROM users WHERE login = ?", [`${person}@example.org`])?.["id"] as number | undefined;
}

/** An API key of a person, made at the first need. */
function keyOf(person: Person, opened: OpenedTracker): Readonly<Record<string, string>> {
  if (idOf(person, opened) === undefined) return {};
  return { BT_API_KEY: addApiKey(opened.store, `${person}@example.org`) };
}
