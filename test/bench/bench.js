// CPU time of a command as a whole process, in medians, beside a Node that does nothing: `npm run bench [rounds]`.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { candidates } from "./candidates.js";
import { measure, rehearse, report } from "./measure.js";

const rounds = Number(process.argv[2] ?? 21);
const scratch = mkdtempSync(path.join(tmpdir(), "bt-bench-"));
const stub = fork(new URL("stub.js", import.meta.url));
try {
  const [{ port }] = await once(stub, "message");
  const runs = candidates({ base: `http://127.0.0.1:${port}`, scratch });
  for (const run of runs) rehearse(run);
  const times = measure(runs, rounds);
  console.log(
    `Node ${process.version}, medians of ${rounds} rounds; NODE_EXTRA_CA_CERTS and NODE_OPTIONS are unset.\n`,
  );
  report(runs, times);
} finally {
  stub.disconnect();
  rmSync(scratch, { recursive: true, force: true });
}
