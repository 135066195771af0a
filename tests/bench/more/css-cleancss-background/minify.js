// Minify a file as the command line does at level 2, without following imports.
const CleanCSS = require(process.argv[2]);
const text = require('fs').readFileSync(process.argv[3], 'utf8');
console.log(new CleanCSS({ level: 2, inline: ['none'] }).minify(text).styles.length);
