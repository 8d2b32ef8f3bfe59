"use strict";

// Output is put into a temporary file only where it is long.
exports.tmpdir = () => require("node:os").tmpdir();
