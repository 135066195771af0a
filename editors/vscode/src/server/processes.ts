/** Runs short-lived processes, never in the workspace's folder. */

import { execFile, spawn } from 'node:child_process';

/** A probe that takes longer counts as failed. */
const PROBE_TIMEOUT_MS = 20_000;

const PACKAGE =
  'import sys; sys.version_info >= (3, 10) or sys.exit(3); import pollard, pollard_server; ' +
  'print(pollard.__version__)';
const PYTHON = 'import sys; print("ok" if sys.version_info >= (3, 10) else "old")';

/** What all processes need. */
export interface ProcessOptions {
  /**
   * The working directory. Python looks for modules there, so it must not be the workspace, whose
   * files the user has not agreed to run.
   */
  readonly folder: string;
}

/** Return what a process printed on standard output, null if it failed. */
export function output(
  command: string,
  args: readonly string[],
  { folder }: ProcessOptions,
): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { cwd: folder, timeout: PROBE_TIMEOUT_MS, windowsHide: true };
    execFile(command, args, options, (error, stdout) => resolve(error ? null : stdout.trim()));
  });
}

/** Return the version of the server that a Python imports, null if it has none. */
export function packageVersion(python: string, where: ProcessOptions): Promise<string | null> {
  return output(python, ['-c', PACKAGE], where);
}

/** Return the first command that starts a Python of at least 3.10, null if none does. */
export async function firstPython(
  commands: Iterable<readonly string[]>,
  where: ProcessOptions,
): Promise<readonly string[] | null> {
  for (const [command, ...args] of commands) {
    if (command && (await output(command, [...args, '-c', PYTHON], where)) === 'ok') {
      return [command, ...args];
    }
  }
  return null;
}

/** Run a process and pass on each line that it prints; rejects with one sentence if it fails. */
export function run(
  command: string,
  args: readonly string[],
  where: ProcessOptions,
  line: (text: string) => void,
  cancelled: (kill: () => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: where.folder, windowsHide: true });
    cancelled(() => child.kill());
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        text.split(/\r?\n/).filter(Boolean).forEach(line);
      });
    }
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ended with exit code ${code}`)),
    );
  });
}
