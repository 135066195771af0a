// Load all documents of a file.
const { safeLoadAll } = require(process.argv[2]);
const text = require('fs').readFileSync(process.argv[3], 'utf8');
safeLoadAll(text, (document) => console.log(JSON.stringify(document)));
