// node repeating.js SCRIPT [ARG...]: runs a program for Node.js once for each line of standard input,
// and answers each by the protocol of docs/warm.md.
//
// The program's first module is loaded anew each time; the modules that it requires stay. A run ends
// when nothing is left to do, as a process does, or when the program calls process.exit.
"use strict";

const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const { Readable } = require("node:stream");
const timers = require("node:timers");
const { pathToFileURL } = require("node:url");
const { inspect, types } = require("node:util");
const threads = require("node:worker_threads");

const [script, ...rest] = process.argv.slice(2);
const main = fs.realpathSync(script);
const directory = process.cwd();
const environment = { ...process.env };
const EXIT = new Error("process.exit was called");
const questions = questionsApart();
// Kept, since a program may change what all modules share.
const { concat, from } = Buffer;
const { setImmediate: later } = globalThis;
const { stringify } = JSON;
const endProcess = process.reallyExit.bind(process);

let printed = { stdout: [], stderr: [] };
let started = [];
let isOver = false;
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

// Returns another descriptor for the questions, so that a program that reads descriptor 0 gets nothing.
function questionsApart() {
  try {
    const apart = fs.openSync("/dev/fd/0", "r");
    fs.closeSync(0);
    fs.openSync("/dev/null", "r"); // gets the lowest number that is free: 0
    return apart;
  } catch {
    return 0; // there is no /dev/fd in some sandboxes
  }
}

// Blocks, so that nothing of the last run goes on meanwhile.
function waitForLine() {
  const byte = Buffer.alloc(1);
  while (byte[0] !== 10) if (fs.readSync(questions, byte) === 0) endProcess(0);
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
  const exit_code = Number(process.exitCode ?? 0) & 255; // as the system cuts it
  send(from(stringify({ exit_code, stdout, stderr }) + "\n"));
}

function crash(error) {
  if (error === EXIT) return;
  try {
    if (process.emit("uncaughtException", error, "uncaughtException")) return;
  } catch (another) {
    if (another === EXIT) return;
  }
  process.stderr.write(reported(error));
  process.exitCode = 1;
  abandon();
}

// Returns what Node.js prints, except for the line that threw the error, which only Node.js knows.
function reported(error) {
  if (!types.isNativeError(error)) return `${error?.stack ?? error}\n`;
  const lines = inspect(error, { depth: 5 }).split("\n");
  const own = lines.findIndex((line) => /^ {4}at /.test(line) && line.includes(`${__filename}:`));
  if (own >= 0) while (/^ {4}at /.test(lines[own])) lines.splice(own, 1);
  return `${lines.join("\n")}\n\nNode.js ${process.version}\n`;
}

// Keeps what a run waits for, so that `abandon` can stop it.
function record(name, owners, stop) {
  const start = owners[0][name];
  const recorded = function (...words) {
    const begun = new.target ? Reflect.construct(start, words, new.target) : start(...words);
    if (isOver) stop(begun);
    else started.push([stop, new WeakRef(begun)]);
    return begun;
  };
  Object.defineProperties(recorded, Object.getOwnPropertyDescriptors(start));
  for (const owner of owners) owner[name] = recorded;
}

// Lets the event loop end, although the program has more to wait for.
function abandon() {
  isOver = true;
  for (const [stop, begun] of started) stop(begun.deref());
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
  started = [];
  isOver = false;
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
  if (isModule(main)) {
    import(`${pathToFileURL(main).href}?run=${runs}`).catch(crash); // another address: another module
  } else {
    later(() => Module._load(main, null, true)); // with that, Node.js makes it require.main
  }
}

// Returns whether a file is an ECMAScript module, by its name or by the package that it is in.
function isModule(file) {
  if (!file.endsWith(".js")) return file.endsWith(".mjs");
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    try {
      return JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8")).type === "module";
    } catch {
      if (folder === path.dirname(folder)) return false;
    }
  }
}

// The program gets an empty standard input, as in a new process: the real one has the questions.
Object.defineProperty(process, "stdin", { get: () => input, configurable: true });
capture("stdout");
capture("stderr");
record("setTimeout", [timers, globalThis], timers.clearTimeout);
record("setInterval", [timers, globalThis], timers.clearInterval);
record("setImmediate", [timers, globalThis], timers.clearImmediate);
record("Worker", [threads], (thread) => thread?.terminate());
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
