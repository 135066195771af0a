// Asks prettier about one candidate after the other, as its command does; see docs/warm.md.
const fs = require("fs");
const prettier = require(process.argv[2] + "/prettier");
const lines = require("readline").createInterface({ input: process.stdin });

lines.on("line", (path) => {
  let answer = { exit_code: 0 };
  try {
    answer.stdout = prettier.format(fs.readFileSync(path, "utf8"), { filepath: path });
  } catch (error) {
    answer = { exit_code: 2, stderr: "[error] " + error.stack };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
