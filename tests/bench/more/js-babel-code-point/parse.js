// Parse a script as an editor does, which wants a tree in spite of errors.
const { parse } = require(process.argv[2]);
const text = require('fs').readFileSync(process.argv[3], 'utf8');
const { errors } = parse(text, { sourceType: 'unambiguous', errorRecovery: true });
console.log(errors.map(({ message }) => message).join('\n'));
