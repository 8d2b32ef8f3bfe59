import { Readable, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { memberName } from "../../command-flag.ts";
import { type BtError, usageError } from "../../errors.ts";
import type { Io } from "../../io.ts";
import { TRACKER_FLAGS } from "../../session/flags.ts";
import { NOTE } from "../../session/note.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { SharedInput } from "../input.ts";
import { asBtError, errorRecord } from "../shared/output/error-record.ts";
import type { Program, VerbFunction } from "../verb.ts";
import { ASSISTANTS_PAGE } from "./assistants-page.ts";
import { CALLS, MAX_TEXT, readableJson, type ToolCall, UNTRUSTED } from "./calls.ts";
import { checkArguments, createTools, inputOf, verbNamed } from "./tools.ts";

/** Input of `bt mcp`. */
type McpInput = SharedInput & { readonly allowWrites: boolean; readonly includePrivate: boolean };

/** `bt mcp`: answers a client of the Model Context Protocol until it closes stdin, or a signal. */
export function assistantServer(program: Program): VerbFunction<McpInput> {
  return async (input, { io }) => {
    if (input.apiKeyFile === "-")
      throw usageError("bt mcp cannot read the API key from stdin, which its client writes to");
    const tools = createTools(program.tree, { writes: input.allowWrites, private: input.includePrivate });
    const run = createRunner(program, input, io);
    const calls = new Set<Promise<unknown>>();
    const server = new Server(
      { name: "bt", version: program.version },
      { capabilities: { tools: {} }, instructions: ASSISTANTS_PAGE },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
      const tool = toolNamed(params.name, tools);
      const notes = new Set<string>();
      const call = callTool(tool, (params.arguments ?? {}) as JsonObject, {
        run: (verb, given) => run(verb, given, { notes, signal }),
        hasPrivate: input.includePrivate,
        notes,
      });
      calls.add(call);
      return call.finally(() => calls.delete(call));
    });
    const close = await serve(server, io);
    await setImmediate(); // what was read has become calls
    await Promise.allSettled(calls);
    await setImmediate(); // their answers are written
    await close();
  };
}

/** Connects a server to stdin and stdout until either ends; returns how to close it. */
async function serve(server: Server, io: Io): Promise<() => Promise<void>> {
  const input = Readable.from(io.inputStream(), { objectMode: false });
  const output = new Writable({ write: (chunk, _, done) => void io.out(String(chunk)).then(() => done(), done) });
  const ended = new Promise<void>((resolve) => {
    for (const stream of [input, output]) for (const event of ["end", "error"]) stream.once(event, () => resolve());
    io.signal.addEventListener("abort", () => resolve());
    server.onclose = resolve;
  });
  await server.connect(new StdioServerTransport(input, output));
  await ended;
  return async () => {
    await new Promise<void>((resolve) => output.end(() => resolve()));
    await server.close();
    input.destroy();
  };
}

function toolNamed(name: string, tools: Tool[]): Tool {
  const tool = tools.find((one) => one.name === name);
  if (tool) return tool;
  const reason = name in CALLS ? ": bt mcp was started without --allow-writes" : "";
  throw new McpError(ErrorCode.InvalidParams, `unknown tool ${JSON.stringify(name)}${reason}`);
}

async function callTool(tool: Tool, given: JsonObject, call: ToolCall): Promise<CallToolResult> {
  try {
    checkArguments(tool, given);
    const { data, error } = (await CALLS[tool.name]?.(given, call)) ?? { data: {} };
    return toolResult(data, call, error);
  } catch (error) {
    return toolResult({}, call, asBtError(error));
  }
}

/** Data as structured content and as text, behind a warning that the tracker wrote it. */
function toolResult(data: JsonObject, { notes }: ToolCall, error: BtError | undefined): CallToolResult {
  const more: Record<string, Json> = {};
  if (notes.size > 0) more["notes"] = [...notes];
  if (error) more["error"] = errorRecord(error, { isWriting: true }) as JsonObject;
  const structuredContent = { untrusted: UNTRUSTED, ...data, ...(readableJson(more, MAX_TEXT) as JsonObject) };
  const content = [{ type: "text" as const, text: JSON.stringify(structuredContent) }];
  return { content, structuredContent, ...(error && { isError: true }) };
}

/** Of a call: what its verbs noted on stderr, and its cancellation. */
type Around = { readonly notes: Set<string>; readonly signal: AbortSignal };

/** Runs verbs one after another on the tracker of the server; throws the error of a verb that printed nothing. */
function createRunner(program: Program, input: McpInput, io: Io) {
  const ofTracker = new Set<string>(TRACKER_FLAGS.map(({ name }) => memberName(name)));
  const tracker = Object.fromEntries(Object.entries(input).filter(([name]) => ofTracker.has(name)));
  let turn: Promise<unknown> = Promise.resolve();
  return (words: string, given: JsonObject, around: Around) => {
    const run = async () => {
      const verb = verbNamed(words, program.tree);
      const printed: string[] = [];
      const verbInput = { ...inputOf(verb, { color: "never", ...given }), ...tracker };
      const running = program.run(verb, verbInput, capturingIo(io, printed, around));
      const error = await running.then(() => undefined, asBtError);
      const out = printed.join("");
      if (error && out === "") throw error;
      return { out, error };
    };
    const result = turn.then(run);
    turn = result.catch(() => undefined);
    return result;
  };
}

/** An Io without terminal and stdin that keeps the output; a cancelled call ends its reads. */
function capturingIo(io: Io, printed: string[], { notes, signal }: Around): Io {
  const noInput = (): never => {
    throw usageError("a tool has no stdin and no prompts", "give the text itself");
  };
  return {
    ...io,
    env: { ...io.env, BT_DEBUG: "" },
    terminal: { stdin: false, stdout: false, stderr: false, control: false },
    out: async (text) => void printed.push(io.hide(text)),
    outBytes: async () => noInput(),
    err: async (text) => {
      if (text !== "") notes.add(io.hide(text.startsWith(NOTE) ? text.slice(NOTE.length) : text).trimEnd());
    },
    isFed: () => false,
    input: async () => noInput(),
    inputStream: noInput,
    prompt: async () => noInput(),
    signal: AbortSignal.any([io.signal, signal]),
  };
}
