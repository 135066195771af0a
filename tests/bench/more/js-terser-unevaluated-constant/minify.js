// Minify a file, without the evaluation of constant expressions.
const { minify } = require(process.argv[2]);
const text = require('fs').readFileSync(process.argv[3], 'utf8');
const { code, error } = minify(text, { compress: { evaluate: false } });
if (error) throw error;
console.log(code.length);
