/**
 * Bundles the extension into one file and collects the licences of the bundled packages.
 *
 * `--release` minifies it.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const { metafile } = await build({
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    minify: process.argv.includes('--release'),
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
});
writeFileSync('dist/licenses.txt', licences(Object.keys(metafile.inputs)));

/** Return the licence texts of the packages that contain the files. */
function licences(files) {
    const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
    return [...new Set(folders.filter(Boolean))].sort().map(licence).join('\n');
}

function licence(folder) {
    const { name, version, license } = JSON.parse(
        readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    const text =
        file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '';
    return `${name} ${version} (${license})\n\n${text}`;
}
