/** Reports of a reduction, for tests. */

import type { ProgressParams } from '../src/protocol.js';

/** Return a report with some fields changed. */
export function progress(changes: Partial<ProgressParams> = {}): ProgressParams {
  return {
    id: 'reduction-1',
    uri: 'file:///a.c',
    state: 'reducing',
    bytes: 3100,
    originalBytes: 48_000,
    runs: 214,
    rate: 12.5,
    guarded: 7,
    cacheHits: 3,
    reductions: 9,
    pass: 'hddh level 5',
    seconds: 17,
    message: 'a message',
    ...changes,
  };
}
