"use strict";

// Preloaded by a test: tells on standard error, at the end, the most memory that the process held, in MiB. Read from /proc
// where there is one, since maxRSS starts with what the process that made this one held.
const fs = require("node:fs");

process.on("exit", () => {
  fs.writeSync(2, `${Math.round(mostMemory() / 1024)}\n`);
});

function mostMemory() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync("/proc/self/status", "utf8"))?.[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}
