/** Bundles the extension into one file; `--release` makes it small. */

import { build } from 'esbuild';

await build({
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    conditions: ['node'],
    minify: process.argv.includes('--release'),
    legalComments: 'external',
    logLevel: 'warning',
});
