import { readdirSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { btConnected } from "../../bt.ts";
import { faultyTracker } from "../../faults/faulty-tracker.ts";
import { freshFolder } from "../../fresh-folder.ts";

test("marks are readable by their owner only, and removed by a logout", async () => {
  const tracker = await faultyTracker();
  const env = { ...tracker.env, HOME: freshFolder() };
  const marks = () =>
    readdirSync(env.HOME, { recursive: true, encoding: "utf8" })
      .map((file) => `${env.HOME}/${file}`)
      .filter((file) => file.endsWith("/read-marks.json"));
  await btConnected("bug get 12", { env });
  expect(marks()).toEqual([]);
  await btConnected("bug get 12", { env, terminal: true });
  expect(marks().map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
  await btConnected("auth logout", { env });
  expect(marks()).toEqual([]);
});
