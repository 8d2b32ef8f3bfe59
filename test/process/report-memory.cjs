"use strict";

// Preloaded by a test: tells on standard error, at the end, the most memory that the process held, in MiB.
const fs = require("node:fs");

process.on("exit", () => {
  fs.writeSync(2, `${Math.round(process.resourceUsage().maxRSS / 1024)}\n`);
});
