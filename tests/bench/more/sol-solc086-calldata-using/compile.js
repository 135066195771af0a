// Compile a contract to bytecode and print what is wrong with it; fail if there is an error.
const solc = require(process.argv[2]);
const content = require('fs').readFileSync(process.argv[3], 'utf8');
const settings = { outputSelection: { '*': { '*': ['evm.bytecode.object'] } } };
const input = { language: 'Solidity', sources: { 'input.sol': { content } }, settings };
const { errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)));
for (const { type, message } of errors) console.log(`${type}: ${message}`);
process.exitCode = errors.some(({ severity }) => severity === 'error') ? 1 : 0;
