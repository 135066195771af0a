// Check a file with all rules.
const markdownlint = require(process.argv[2]);
const text = require('fs').readFileSync(process.argv[3], 'utf8');
console.log(markdownlint.sync({ strings: { 'input.md': text } }).toString());
