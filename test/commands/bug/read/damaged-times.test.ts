import { expect, test } from "vitest";
import type { Exchange } from "../../../../src/wire/exchange.ts";
import { bt } from "../../../bt.ts";
import { freshDemo } from "../../../fresh-demo.ts";
import { freshFolder } from "../../../fresh-folder.ts";

const TIMES = /"(when|last_change_time|creation_time|time)":"[^"]*"/g;

test.each(["bug watch is:open --once", "mirror create damaged"])(
  "%s: an invalid time is reported as an invalid response",
  async (line) => {
    const { exchange, login } = freshDemo({
      now: () => new Date("2026-11-20T12:00:00Z"),
      random: (count) => new Uint8Array(count),
    });
    const damaged: Exchange = async (request) => {
      const reply = await exchange(request);
      return { ...reply, body: reply.body.replace(TIMES, '"$1":"soon"') };
    };
    const ran = await bt(line, { exchange: damaged, login, env: { HOME: freshFolder() } });
    expect(ran).toMatchObject({ code: 7, out: "", err: expect.stringContaining('a time, not "soon"') });
  },
);
