"use strict";

// Preloaded by a test: the first module of WebAssembly, which needs SIMD, is refused.
const wasm = Reflect.get(globalThis, "WebAssembly");
const { Module } = wasm;
wasm.Module = new Proxy(Module, {
  construct() {
    wasm.Module = Module;
    throw new wasm.CompileError("invalid value type 's128'");
  },
});
