/** What is said of a run of a command that is tried: pure functions. */

import type { CheckedParams, CheckedRun } from '../protocol.js';
import { formatDuration } from '../status/units.js';

const SIGNALS: Readonly<Record<number, string>> = {
  3: 'SIGQUIT',
  4: 'SIGILL',
  5: 'SIGTRAP',
  6: 'SIGABRT',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  15: 'SIGTERM',
};

/** Return "exit code 1, 34 ms" or "signal SIGSEGV, 34 ms". */
export function outcome(run: CheckedRun): string {
  const ended =
    run.verdict === 'timeout'
      ? 'it took too long'
      : run.signal !== null
        ? `signal ${SIGNALS[run.signal] ?? run.signal}`
        : `exit code ${run.exitCode ?? 'unknown'}`;
  return `${ended}, ${formatDuration(run.seconds)}`;
}

/** Return the last line that a run printed, standard error first, in at most `most` characters. */
export function lastLine({ stderr, stdout }: CheckedRun, most = 120): string {
  const line = (stderr.trim() || stdout.trim()).split(/\r?\n/).at(-1)?.trim() ?? '';
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** Return all that is known of a check, to be read in an editor or in the log. */
export function report(checked: CheckedParams): string {
  const runs = checked.runs.map((run, place) =>
    [
      `Run ${place + 1}: ${outcome(run)}${run.truncated ? ' (the beginning of the output was left out)' : ''}`,
      '--- standard output ---',
      run.stdout,
      '--- standard error ---',
      run.stderr,
    ].join('\n'),
  );
  return [checked.description, ...runs].join('\n\n');
}
