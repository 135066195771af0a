/** What the status bar's item says of a reduction, and its tooltip: pure functions. */

import type { ProgressParams } from '../protocol.js';
import type { TrackedReduction } from '../reductions/tracker.js';
import { sparkline } from './sparkline.js';
import { count, formatDuration, formatSize } from './units.js';

/** The item's text, with VS Code's `$(icons)`. */
export function statusText(progress: ProgressParams): string {
  const { state, bytes, originalBytes, runs } = progress;
  const [small, large] = [formatSize(bytes), formatSize(originalBytes)];
  switch (state) {
    case 'checking':
      return `$(sync~spin) checking the oracle · ${large}`;
    case 'reducing':
      return `$(sync~spin) ${small} ← ${large} · ${count(runs, 'run')}`;
    case 'paused':
      return `$(debug-pause) ${small} ← ${large} · ${count(runs, 'run')}`;
    case 'done':
      return `$(check) ${large} → ${small}`;
    case 'stopped':
      return `$(debug-stop) ${large} → ${small}`;
    case 'failed':
      return '$(error) not reduced';
  }
}

/** What a screen reader says in its place: the same without icons and arrows. */
export function spokenText({ state, bytes, originalBytes, runs, message }: ProgressParams): string {
  if (state === 'failed') {
    return `Pollard: ${message}`;
  }
  const sizes = `${formatSize(bytes)} left of ${formatSize(originalBytes)}`;
  return `Pollard: ${state}, ${sizes}, ${count(runs, 'run')}`;
}

/** The tooltip, in Markdown; `name` is the document's. */
export function tooltip({ progress, points }: TrackedReduction, name: string): string {
  const { state, message } = progress;
  const lines = [`**Pollard** · ${escape(name)}: ${state}`];
  if (state === 'failed' || state === 'paused') {
    lines.push(escape(message));
  }
  lines.push(figures(progress));
  if (points.length > 1) {
    lines.push(`\`${sparkline(points, progress.seconds)}\``);
    lines.push('Size over time');
  }
  return lines.join('\n\n');
}

function figures(progress: ProgressParams): string {
  const rows = [
    ['Size', `${formatSize(progress.bytes)} of ${formatSize(progress.originalBytes)}`],
    ['Pass', progress.pass || '–'],
    ['Runs', `${count(progress.runs, 'run')}, ${progress.rate.toFixed(1)} a second`],
    ...unresolved(progress),
    ['Known from the cache', count(progress.cacheHits, 'candidate')],
    ['Guarded', `${count(progress.guarded, 'candidate')} with new syntax errors, not run`],
    ['Elapsed', formatDuration(progress.seconds)],
  ];
  const table = rows.map(([key, value]) => `| ${key} | ${escape(value ?? '')} |`);
  return ['| | |', '|:--|:--|', ...table].join('\n');
}

/** Rows for runs that came to nothing, where there were any. */
function unresolved({ invalid = 0, timeouts = 0 }: ProgressParams): string[][] {
  const rows = [
    {
      number: invalid,
      row: ['Invalid', `${count(invalid, 'run')} that never reached the failure`],
    },
    { number: timeouts, row: ['Timed out', count(timeouts, 'run')] },
  ];
  return rows.filter(({ number }) => number > 0).map(({ row }) => row);
}

/** Make a text mean itself in Markdown. */
export function escape(text: string): string {
  return text.replaceAll('\n', ' ').replace(/[\\`*_{}[\]()#+!|<>~$-]/g, '\\$&');
}
