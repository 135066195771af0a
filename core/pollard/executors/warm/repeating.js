// node repeating.js SCRIPT [ARG...]: runs a program for Node.js once for each line of standard input,
// and answers each by the protocol of docs/warm.md.
//
// The program's first module is loaded anew each time; the modules that it requires stay. A run ends
// when nothing is left to do, as a process does, or when the program calls process.exit.
"use strict";

const fs = require("node:fs");
const { Readable } = require("node:stream");
const timers = require("node:timers");
const { pathToFileURL } = require("node:url");

const [script, ...rest] = process.argv.slice(2);
const main = fs.realpathSync(script);
const directory = process.cwd();
const environment = { ...process.env };
const EXIT = new Error("process.exit was called");
// Kept, since a program may change what all modules share.
const { concat, from } = Buffer;
const { stringify } = JSON;
const endProcess = process.reallyExit.bind(process);

let printed = { stdout: [], stderr: [] };
let started = new Set();
let input;
let runs = 0;

function capture(name) {
  process[name].setMaxListeners(0);
  process[name].write = (data, encoding, callback) => {
    const known = typeof encoding === "string" ? encoding : "utf8";
    printed[name].push(typeof data === "string" ? from(data, known) : from(data));
    const done = typeof encoding === "function" ? encoding : callback;
    if (done) process.nextTick(done);
    return true;
  };
}

// Blocks, so that nothing of the last run goes on meanwhile.
function waitForLine() {
  const byte = Buffer.alloc(1);
  while (byte[0] !== 10) if (fs.readSync(0, byte) === 0) endProcess(0);
}

// Node.js does not wait by itself until a pipe has room.
function send(bytes) {
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(fs.writeSync(1, bytes));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

function answer() {
  const stdout = concat(printed.stdout).toString();
  const stderr = concat(printed.stderr).toString();
  send(from(stringify({ exit_code: Number(process.exitCode ?? 0), stdout, stderr }) + "\n"));
}

function crash(error) {
  if (error === EXIT) return;
  try {
    if (process.emit("uncaughtException", error, "uncaughtException")) return;
  } catch (another) {
    if (another === EXIT) return;
  }
  process.stderr.write(`${error?.stack ?? error}\n`);
  process.exitCode = 1;
}

// Keeps the timers of a run, so that `abandon` can stop them.
function record(name) {
  const start = timers[name];
  const recorded = (...words) => {
    const timer = start(...words);
    started.add(new WeakRef(timer));
    return timer;
  };
  timers[name] = globalThis[name] = Object.defineProperties(recorded, Object.getOwnPropertyDescriptors(start));
}

// Lets the event loop end, although the program has more to wait for.
function abandon() {
  for (const each of started) clearTimeout(each.deref());
  for (const each of process._getActiveHandles()) each.unref?.();
}

// Undoes what the last run did to the process, and removes its listeners, which have been called.
function restore(listeners) {
  for (const event of process.eventNames()) {
    for (const each of process.rawListeners(event)) {
      if (!listeners.get(event)?.includes(each)) process.removeListener(event, each);
    }
  }
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(directory);
  process.exitCode = undefined;
  process.argv = [process.execPath, script, ...rest];
  printed = { stdout: [], stderr: [] };
  started = new Set();
  input = Readable.from([]);
  delete require.cache[main];
}

function end() {
  try {
    process.emit("exit", process.exitCode ?? 0);
  } catch (error) {
    crash(error);
  }
  answer();
}

function next() {
  try {
    if (runs > 0) end();
    waitForLine();
    restore(own);
  } catch {
    // The program closed the descriptors or broke what this needs: the next run gets another process.
    endProcess(Number(process.exitCode ?? 0));
  }
  runs += 1;
  // Another address is another module, in case that the program is an ECMAScript module.
  import(`${pathToFileURL(main).href}?run=${runs}`).catch(crash);
}

// The program gets an empty standard input, as in a new process: the real one has the questions.
Object.defineProperty(process, "stdin", { get: () => input, configurable: true });
capture("stdout");
capture("stderr");
record("setTimeout");
record("setInterval");
process.setMaxListeners(0);
process.exit = (code) => {
  process.exitCode = code ?? process.exitCode;
  abandon();
  throw EXIT;
};
process.on("beforeExit", next);
process.on("unhandledRejection", (error) => process.listenerCount("unhandledRejection") > 1 || crash(error));
process.setUncaughtExceptionCaptureCallback(crash);
const own = new Map(process.eventNames().map((event) => [event, process.rawListeners(event)]));
next();
