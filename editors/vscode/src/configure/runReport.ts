/** Describes the runs of a check for the user: pure functions. */

import type { CheckedParams, CheckedRun, Criterion } from '../protocol.js';
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

/** Return a run's last line of standard error, else of standard output, cut to `limit` characters. */
export function lastLine({ stderr, stdout }: CheckedRun, limit = 120): string {
  const line = (stderr.trim() || stdout.trim()).split(/\r?\n/).at(-1)?.trim() ?? '';
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

/** Return how a criterion recognises the failure, and the failure that the reduction keeps. */
export function criterionDetail({ detail, failure, title }: Criterion): string {
  const told = failure && !title.includes(failure) && !failure.includes(title);
  return told ? `keeps ${failure} · ${detail}` : detail;
}

/** Return a check's description and all output of its runs, for an editor or the log. */
export function report(checked: CheckedParams): string {
  const runs = checked.runs.map((run, index) =>
    [
      `Run ${index + 1}: ${outcome(run)}${run.truncated ? ' (the beginning of the output is missing)' : ''}`,
      '--- standard output ---',
      run.stdout,
      '--- standard error ---',
      run.stderr,
    ].join('\n'),
  );
  return [checked.description, ...runs].join('\n\n');
}
