// Compile the template of a single-file component, with what its script binds.
const { parse, compileScript, compileTemplate } = require(process.argv[2]);
const text = require('fs').readFileSync(process.argv[3], 'utf8');
const { descriptor, errors } = parse(text, { filename: 'input.vue' });
const id = 'input';
const bindings = descriptor.scriptSetup ? compileScript(descriptor, { id }).bindings : {};
const source = descriptor.template ? descriptor.template.content : '';
const made = compileTemplate({ source, id, filename: 'input.vue', compilerOptions: { bindingMetadata: bindings } });
console.log([...errors, ...made.errors].map(String).join('\n'));
