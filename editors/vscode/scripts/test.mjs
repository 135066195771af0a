/**
 * Bundles the unit tests to out/ and runs them with Node's own runner.
 *
 * Usage: npm test [-- REPORT.xml]      writes a report in JUnit's format to REPORT.xml
 */

import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

rmSync('out', { recursive: true, force: true });
await build({
    entryPoints: readdirSync('test')
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => `test/${name}`),
    outdir: 'out',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    external: ['vscode'],
    logLevel: 'warning',
});
const files = readdirSync('out').map((name) => `out/${name}`);
const [report] = process.argv.slice(2);
const reporters = report
    ? [
          '--test-reporter=spec',
          '--test-reporter-destination=stdout',
          '--test-reporter=junit',
          `--test-reporter-destination=${report}`,
      ]
    : [];
const options = ['--enable-source-maps', '--test', ...reporters, ...files];
process.exitCode = spawnSync(process.execPath, options, { stdio: 'inherit' }).status ?? 1;
