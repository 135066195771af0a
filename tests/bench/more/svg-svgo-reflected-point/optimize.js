// Shorten the paths of a picture and leave all else as it is.
const { optimize } = require(process.argv[2]);
const text = require('fs').readFileSync(process.argv[3], 'utf8');
console.log(optimize(text, { plugins: ['convertPathData'] }).data.length);
