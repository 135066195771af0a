// Compile a component as Astro's build does.
import { readFileSync } from 'node:fs';
const { transform } = await import(process.argv[2]);
const made = await transform(readFileSync(process.argv[3], 'utf8'), { filename: '/src/input.astro' });
console.log(made.code.length, made.diagnostics);
process.exit(0);
