import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Host } from "../../src/config/files.ts";
import { withLock } from "../../src/config/files.ts";
import { machine } from "./machine.ts";

/** A machine on which a lock of this content is left, and what became of an action that needs the lock. */
async function outcomeWith(content: string, more: (lock: string) => Partial<Host>) {
  const { home } = machine();
  const lock = join(home, "jobs.lock");
  writeFileSync(lock, content);
  const host = { ...machine(more(lock)), home };
  const action = () => readFileSync(lock, "utf8").split(" ")[0];
  const outcome = withLock(join(home, "jobs"), action, host);
  const holder = await outcome.catch(({ message }: Error) => message);
  return { holder, lock, host };
}

test("the lock of a process whose start cannot be read counts", async () => {
  const { holder, lock } = await outcomeWith("77 undefined\n", () => ({ startOf: () => undefined }));
  expect(holder).toBe(`${lock} is locked by another bt (process 77)`);
});

test("the lock of a process whose pid another one has by now is taken over", async () => {
  const { holder, host } = await outcomeWith("77 1200\n", () => ({ startOf: () => "1300" }));
  expect(holder).toBe(String(host.pid));
});

test("a lock that another process took over first stays with that one", async () => {
  const other = "88 1200\n";
  const { holder, lock } = await outcomeWith("77 1200\n", (file) => ({
    startOf(pid) {
      if (pid === 77) writeFileSync(file, other); // taken while this process looks at the dead holder
      return pid === 77 ? undefined : "1200";
    },
  }));
  expect(holder).toBe(`${lock} is locked by another bt (process 88)`);
  expect(readFileSync(lock, "utf8")).toBe(other);
});
