/** A line of sizes over time that fits into a tooltip. */

import type { SizePoint } from '../reductions/tracker.js';

const BARS = '▁▂▃▄▅▆▇█';

/**
 * Return `width` bars for the sizes from the first point to `until` seconds.
 *
 * A size holds until the next one is told of. The bars are relative to the largest size; an empty
 * text is a lowest bar, too.
 */
export function sparkline(points: readonly SizePoint[], until: number, width = 24): string {
  const [first] = points;
  if (!first) {
    return '';
  }
  const most = Math.max(...points.map(({ bytes }) => bytes), 1);
  const span = Math.max(until - first.seconds, 0);
  return Array.from({ length: width }, (_, place) => {
    // Counted from the end, so that the last bar is of `until` itself and not of a rounding before.
    const time = until - (span * (width - 1 - place)) / Math.max(width - 1, 1);
    const bytes = points.findLast(({ seconds }) => seconds <= time)?.bytes ?? first.bytes;
    return BARS[Math.round((bytes / most) * (BARS.length - 1))];
  }).join('');
}
