// Parse a file of definitions.
const parse = require(process.argv[2]);
const text = require('fs').readFileSync(process.argv[3], 'utf8');
console.log(JSON.stringify(parse(text)));
