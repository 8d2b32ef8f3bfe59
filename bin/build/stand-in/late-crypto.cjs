"use strict";

// The tracker hashes keys, passwords and what it has been sent; most reads in this process need none of it.
exports.createHash = late("createHash");
exports.scryptSync = late("scryptSync");
exports.timingSafeEqual = late("timingSafeEqual");

function late(/** @type {string} */ name) {
  return (/** @type {readonly unknown[]} */ ...given) => require("node:crypto")[name](...given);
}
