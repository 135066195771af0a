// Check a file with one rule, as a configuration with the parser for TypeScript does.
const [folder, file] = process.argv.slice(2);
const load = (name) => require(require.resolve(name, { paths: [folder] }));
const { Linter } = load('eslint');
const linter = new Linter();
linter.defineParser('typescript', load('@typescript-eslint/parser'));
linter.defineRule('handler-names', load('eslint-plugin-react').rules['jsx-handler-names']);
const config = {
  parser: 'typescript',
  parserOptions: { sourceType: 'module', ecmaFeatures: { jsx: true } },
  rules: { 'handler-names': ['error', { checkInlineFunction: true }] },
};
const found = linter.verify(require('fs').readFileSync(file, 'utf8'), config, { filename: 'input.tsx' });
console.log(found.map(({ line, message }) => `${line}: ${message}`).join('\n'));
