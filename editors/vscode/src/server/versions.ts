/** Versions of the server, and which of them will do. */

/** Return the version in a program's answer to `--version`, null if there is none. */
export function parseVersion(answer: string): string | null {
  return /\b(\d+(?:\.\d+)+(?:[a-z]+\d+)?)\b/.exec(answer)?.[1] ?? null;
}

/** Tell whether `version` is `needed` or newer; the suffix of a pre-release does not count. */
export function isNewEnough(version: string, needed: string): boolean {
  const [have, want] = [numbers(version), numbers(needed)];
  for (let place = 0; place < Math.max(have.length, want.length); place++) {
    const difference = (have[place] ?? 0) - (want[place] ?? 0);
    if (difference !== 0) {
      return difference > 0;
    }
  }
  return true;
}

function numbers(version: string): number[] {
  return version.split('.').map((part) => Number.parseInt(part, 10) || 0);
}
