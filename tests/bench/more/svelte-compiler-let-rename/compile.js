// Compile a component for the browser.
const { compile } = require(process.argv[2]);
const text = require('fs').readFileSync(process.argv[3], 'utf8');
const { js, warnings } = compile(text, { filename: 'Input.svelte' });
console.log(js.code.length, warnings.length);
