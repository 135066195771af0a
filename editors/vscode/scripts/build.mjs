/** Bundles the extension into one file, with the licences of all that is in it; `--release` makes it small. */

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

/** The licence texts of the packages that the files are from. */
function licences(files) {
    const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
    return [...new Set(folders.filter(Boolean))].sort().map(licence).join('\n');
}

function licence(folder) {
    const { name, version, license } = JSON.parse(
        readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const text =
        file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '';
    return `${name} ${version} (${license})\n\n${text}`;
}
