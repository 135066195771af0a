// Asks the TypeScript compiler about one candidate after the other, as tsc does; see docs/warm.md.
const ts = require(process.argv[2] + "/typescript");
const lines = require("readline").createInterface({ input: process.stdin });
const options = { noEmit: true };
const host = ts.createCompilerHost(options);
const libraries = new Map(); // the library's declarations do not depend on the candidate
const read = host.getSourceFile;
host.getSourceFile = (name, ...more) => {
  if (!name.includes("/lib.")) return read(name, ...more);
  if (!libraries.has(name)) libraries.set(name, read(name, ...more));
  return libraries.get(name);
};

lines.on("line", (path) => {
  const found = ts.getPreEmitDiagnostics(ts.createProgram([path], options, host));
  const stdout = ts.formatDiagnostics(found, host);
  process.stdout.write(JSON.stringify({ exit_code: found.length ? 2 : 0, stdout }) + "\n");
});
