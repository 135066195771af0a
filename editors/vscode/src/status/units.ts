/** Formats sizes and durations as the server does: "3.1 kB", "1 min 15 s". */

/** Return bytes in two or three digits and a decimal unit. */
export function formatSize(bytes: number): string {
  if (Math.round(bytes) < 1000) {
    return `${Math.round(bytes)} B`;
  }
  let value = bytes / 1000;
  for (const unit of ['kB', 'MB', 'GB']) {
    if (Math.round(value) < 1000) {
      return `${short(value)} ${unit}`;
    }
    value /= 1000;
  }
  return `${short(value)} TB`;
}

/** Return seconds as "34 ms", "2.3 s", "1 min 15 s" or "1 h 2 min". */
export function formatDuration(seconds: number): string {
  if (Math.round(seconds * 1000) < 1000) {
    return `${Math.round(seconds * 1000)} ms`;
  }
  if (Math.round(seconds) < 60) {
    return `${short(seconds)} s`;
  }
  return Math.round(seconds) < 3600
    ? pair(Math.round(seconds), 'min', 's')
    : pair(Math.round(seconds / 60), 'h', 'min');
}

/** Return "1 run", "2 runs". */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

function short(value: number): string {
  const precise = value.toFixed(1);
  return Number(precise) < 10 ? precise : value.toFixed(0);
}

function pair(value: number, large: string, small: string): string {
  const rest = value % 60 ? ` ${value % 60} ${small}` : '';
  return `${Math.floor(value / 60)} ${large}${rest}`;
}
