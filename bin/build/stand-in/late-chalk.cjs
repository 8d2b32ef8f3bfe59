"use strict";

// chalk makes all its styles when it is loaded, and what goes into a pipe needs none: here that is its first use.
Object.defineProperty(exports, "Chalk", { enumerable: true, get: () => require("chalk").Chalk });
Object.defineProperty(exports, "__esModule", { value: true });
