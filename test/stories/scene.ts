import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import { userByLogin } from "../../src/tracker/http/call.ts";
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
};

/** The ways in which a demo is reached; a story has to read the same on each. */
export const WAYS: readonly (readonly [name: string, open: () => Promise<Scene>])[] = [
  ["in this process", inProcess],
  ["over HTTP", overHttp],
];

/** The ways for stories of reading: also from mirrors, which each person has of all that they may see. */
export const READING_WAYS: typeof WAYS = [...WAYS, ["from mirrors", fromMirrors]];

async function inProcess(): Promise<Scene> {
  const demo = openedDemo();
  return {
    say: (person, line, terminal) => {
      const { env, ...around } = atTerminal(terminal);
      return bt(line, {
        ...{ exchange: demo.exchange(person), ...demo.login(person), now: demo.nextMinute(), ...around },
        env: { XDG_STATE_HOME: `${demo.home}/${person}`, ...env },
      });
    },
  };
}

/**
 * Lines that change nothing are also run on a mirror, made when the line before had changed something; what the mirror
 * says counts, without its age, unless it refuses to answer.
 */
async function fromMirrors(): Promise<Scene> {
  const demo = openedDemo();
  const { home } = demo;
  const made = new Set<string>();
  const mirrorOf = async (person: Person, state: string): Promise<string> => {
    const name = `${person}-${state}`;
    const facts = { home, name, login: demo.login(person).login ?? null, now: demo.now, facts: { tracker: "demo:" } };
    if (!made.has(name)) await putMirror(demo.exchange(person), facts);
    made.add(name);
    return name;
  };
  return {
    say: async (person, line, terminal) => {
      const [before, now, around] = [demo.state(), demo.nextMinute(), atTerminal(terminal)];
      const original = await bt(line, { exchange: demo.exchange(person), now, ...demo.login(person), ...around });
      if (demo.state() !== before) return original;
      const address = `mirror:${await mirrorOf(person, before)}`;
      const env = { ...homeFolders(home), BT_BASE_URL: address, ...around.env };
      const mirrored = await btConnected(line, { ...around, env, now });
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

async function overHttp(): Promise<Scene> {
  const demo = openedDemo();
  const { url, close } = await startServer({ tracker: demo.opened.tracker, port: 0 });
  onTestFinished(close);
  return {
    say: (person, line, terminal) => {
      const key =
        demo.login(person).login === undefined ? {} : { BT_API_KEY: addApiKey(demo.opened.store, loginOf(person)) };
      const around = atTerminal(terminal);
      const env = { ...homeFolders(`${demo.home}/${person}`), BT_BASE_URL: url, ...key, ...around.env };
      return btConnected(line, { ...around, env, now: demo.nextMinute() });
    },
  };
}

function atTerminal(terminal: boolean | AtTerminal = false): Partial<Around> {
  if (!terminal) return {};
  return { terminal: true, columns: 100, rows: 1000, ...(terminal === true ? {} : terminal) };
}

function loginOf(person: Person): string {
  return `${person}@example.org`;
}

/** A demo until the test ends, a folder for homes, and the demo's clock, which stands until the next line. */
function openedDemo() {
  let minute = 0;
  const now = () => new Date(Date.parse("2026-11-20T12:00:00Z") + minute * 60_000);
  const opened = freshDemo({ now, random: (bytes) => new Uint8Array(bytes) });
  const home = mkdtempSync(path.join(tmpdir(), "bt-story-"));
  onTestFinished(() => {
    opened.close();
    rmSync(home, { recursive: true, force: true });
  });
  const { store, tracker } = opened;
  const idOf = (person: Person) => userByLogin(store, loginOf(person))?.id;
  const exchange = (person: Person): Exchange => {
    const userId = idOf(person);
    return (request) => tracker(request, userId);
  };
  const tables = ["bugs", "comments", "attachments", "activity", "flags", "comment_tags", "bug_tags"];
  return {
    ...{ opened, home, now, exchange },
    login: (person: Person): { readonly login?: string } =>
      idOf(person) === undefined ? {} : { login: loginOf(person) },
    nextMinute: () => {
      minute += 1;
      return now().toISOString();
    },
    /** A text that differs when the data does. */
    state: () => tables.map((table) => store.get(`SELECT count(*) AS n FROM ${table}`)?.["n"]).join("-"),
  };
}
