/** The texts of the status bar's item and of its tooltip: pure functions. */

import type { ProgressParams } from '../protocol.js';
import type { SizePoint, TrackedReduction } from '../reductions/tracker.js';
import { count, formatDuration, formatSize } from './units.js';

/** The item's text, with VS Code's `$(icons)`. */
export function statusText(progress: ProgressParams): string {
  const { state, bytes, originalBytes, runs, failureChanged } = progress;
  const [small, large] = [formatSize(bytes), formatSize(originalBytes)];
  if (failureChanged) {
    return `$(warning) ${large} → ${small} · the failure has changed`;
  }
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

/** The text for screen readers: without icons and arrows. */
export function spokenText(progress: ProgressParams): string {
  const { state, bytes, originalBytes, runs, message, failureChanged } = progress;
  if (state === 'failed') {
    return `Pollard: ${message}`;
  }
  const sizes = `${formatSize(bytes)} left of ${formatSize(originalBytes)}`;
  const changed = failureChanged ? ', the failure has changed' : '';
  return `Pollard: ${state}, ${sizes}, ${count(runs, 'run')}${changed}`;
}

/** The tooltip, in Markdown; `name` is the document's. */
export function tooltip({ progress, points }: TrackedReduction, name: string): string {
  const { state, message, comparison = [] } = progress;
  const lines = [`**Pollard** · ${escape(name)}: ${state}`];
  if (state === 'failed' || state === 'paused') {
    lines.push(escape(message));
  }
  lines.push(...comparison.map(escape), figures(progress));
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
    ['From the cache', count(progress.cacheHits, 'candidate')],
    ['Guarded', `${count(progress.guarded, 'candidate')} with new syntax errors, not run`],
    ['Elapsed', formatDuration(progress.seconds)],
  ];
  const table = rows.map(([key, value]) => `| ${key} | ${escape(value ?? '')} |`);
  return ['| | |', '|:--|:--|', ...table].join('\n');
}

/** Return rows for invalid and timed-out runs, if there are any. */
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

/** Escape a text so that Markdown shows it as it is. */
export function escape(text: string): string {
  return text.replaceAll('\n', ' ').replace(/[\\`*_{}[\]()#+!|<>~$-]/g, '\\$&');
}

const BARS = '▁▂▃▄▅▆▇█';

/**
 * Return `width` bars for the sizes from the first point to `until` seconds.
 *
 * A size holds until the next one is reported. The bars are relative to the largest size; an empty
 * text gets the lowest bar.
 */
export function sparkline(points: readonly SizePoint[], until: number, width = 24): string {
  const [first] = points;
  if (!first) {
    return '';
  }
  const largest = Math.max(...points.map(({ bytes }) => bytes), 1);
  const span = Math.max(until - first.seconds, 0);
  return Array.from({ length: width }, (_, index) => {
    // Counted back from `until`, so that rounding cannot move the last bar before it.
    const time = until - (span * (width - 1 - index)) / Math.max(width - 1, 1);
    const bytes = points.findLast(({ seconds }) => seconds <= time)?.bytes ?? first.bytes;
    return BARS[Math.round((bytes / largest) * (BARS.length - 1))];
  }).join('');
}
