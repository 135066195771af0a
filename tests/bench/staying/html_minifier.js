// Asks html-minifier-terser about one candidate after the other, as its command does; see docs/warm.md.
const fs = require("fs");
const { minify } = require(process.argv[2] + "/html-minifier-terser");
const lines = require("readline").createInterface({ input: process.stdin });
const options = {
  collapseWhitespace: true,
  minifyJS: true,
  minifyCSS: true,
  removeScriptTypeAttributes: true,
  removeStyleLinkTypeAttributes: true,
};

lines.on("line", async (path) => {
  let answer = { exit_code: 0 };
  try {
    answer.stdout = await minify(fs.readFileSync(path, "utf8"), options);
  } catch (error) {
    answer = { exit_code: 1, stderr: String(error.stack) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
