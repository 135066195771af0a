// Minify a file as the command line does.
const csso = require(process.argv[2]);
const text = require('fs').readFileSync(process.argv[3], 'utf8');
console.log(csso.minify(text, { filename: process.argv[3] }).css.length);
