#!/usr/bin/env node
"use strict";

// The launcher: it sets the exit code that main answers with, and does nothing else.
const { main } = require("../dist/main.cjs");

main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
