"use strict";

// undici makes a tree of a hundred names of headers to read their lower case from; without it, it makes each that it meets
// lower case.
exports.headerNameLowerCasedRecord = { __proto__: null };
exports.wellknownHeaderNames = [];
