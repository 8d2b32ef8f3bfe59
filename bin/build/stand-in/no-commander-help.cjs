"use strict";

// commander's own pages of help and its suggestions, in place of which bt has its own.
exports.Help = class {};
exports.stripColor = (text) => text;
exports.suggestSimilar = () => "";
