/** The tracked reductions, and the status bar's texts for them. */

import assert from 'node:assert/strict';
import test from 'node:test';

import type { ProgressParams } from '../src/protocol.js';
import { ReductionTracker, type TrackedReduction } from '../src/reductions/tracker.js';
import { menu } from '../src/status/menu.js';
import { escape, sparkline, spokenText, statusText, tooltip } from '../src/status/text.js';
import { count, formatDuration, formatSize } from '../src/status/units.js';
import { progress } from './progress.js';

test('the status bar shows sizes and runs during a reduction, and the result', () => {
  assert.equal(statusText(progress()), '$(sync~spin) 3.1 kB ← 48 kB · 214 runs');
  assert.equal(
    statusText(progress({ state: 'paused' })),
    '$(debug-pause) 3.1 kB ← 48 kB · 214 runs',
  );
  assert.equal(statusText(progress({ state: 'done', bytes: 212 })), '$(check) 48 kB → 212 B');
  assert.match(statusText(progress({ state: 'stopped' })), /^\$\(debug-stop\)/);
  assert.match(statusText(progress({ state: 'failed' })), /^\$\(error\)/);
  assert.match(statusText(progress({ state: 'checking' })), /^\$\(sync~spin\) checking/);
});

test('a screen reader gets words instead of icons and arrows', () => {
  assert.equal(spokenText(progress()), 'Pollard: reducing, 3.1 kB left of 48 kB, 214 runs');
  assert.equal(spokenText(progress({ state: 'failed' })), 'Pollard: a message');
});

test('the tooltip has the figures and the chart of sizes', () => {
  const tracker = new ReductionTracker();
  tracker.update(progress({ bytes: 48_000, seconds: 0 }));
  tracker.update(progress());
  const tracked = tracker.of('file:///a.c');
  assert.ok(tracked);
  const text = tooltip(tracked, 'a_b.c');
  for (const part of ['a\\_b.c', 'hddh level 5', '12.5 a second', '7 candidates', '17 s', '█']) {
    assert.ok(text.includes(part), `${part} is not in ${text}`);
  }
});

test('the tooltip shows invalid and timed-out runs, if there are any', () => {
  const tracker = new ReductionTracker();
  const told = (changes: Partial<ProgressParams>): string => {
    tracker.update(progress(changes));
    const tracked = tracker.of('file:///a.c');
    assert.ok(tracked);
    return tooltip(tracked, 'a.c');
  };
  assert.doesNotMatch(told({ invalid: 0 }), /Invalid|Timed out/);
  const text = told({ invalid: 12, timeouts: 1 });
  assert.match(text, /\| Invalid \| 12 runs that never reached the failure \|/);
  assert.match(text, /\| Timed out \| 1 run \|/);
});

test("a document's name cannot inject Markdown into the tooltip", () => {
  assert.equal(escape('[x](command:y)|$(z)\n<b>'), '\\[x\\]\\(command:y\\)\\|\\$\\(z\\) \\<b\\>');
});

test('in the chart a size lasts from one point to the next', () => {
  const points = [
    { seconds: 0, bytes: 800 },
    { seconds: 5, bytes: 400 },
    { seconds: 9, bytes: 0 },
  ];
  assert.equal(sparkline(points, 9, 10), '█████▅▅▅▅▁');
  assert.equal(sparkline([], 9), '');
  assert.equal(sparkline([{ seconds: 3, bytes: 0 }], 3, 2), '▁▁');
});

test('the last bar shows the last size, regardless of rounding', () => {
  for (let thousandths = 1; thousandths < 1000; thousandths += 1) {
    const until = thousandths / 1000;
    const points = [
      { seconds: 0.0007, bytes: 1000 },
      { seconds: until, bytes: 0 },
    ];
    assert.equal(sparkline(points, until).at(-1), '▁', `after ${until} s`);
  }
});

test('sizes and durations are written as the server writes them', () => {
  const sizes = [999, 1000, 9_949, 9_950, 48_000, 999_499, 999_500, 2_000_000_000_000];
  assert.deepEqual(sizes.map(formatSize), [
    '999 B',
    '1.0 kB',
    '9.9 kB',
    '9.9 kB',
    '48 kB',
    '999 kB',
    '1.0 MB',
    '2.0 TB',
  ]);
  assert.deepEqual([0.034, 2.345, 75, 3720, 60].map(formatDuration), [
    '34 ms',
    '2.3 s',
    '1 min 15 s',
    '1 h 2 min',
    '1 min',
  ]);
  assert.equal(count(1, 'run'), '1 run');
});

const uriOf = (tracked: TrackedReduction | undefined): string | undefined => tracked?.progress.uri;

test('files without a reduction show the one that was reported last', () => {
  const tracker = new ReductionTracker();
  tracker.update(progress());
  tracker.update(progress({ uri: 'file:///b.c', id: 'reduction-2' }));
  tracker.update(progress({ bytes: 100 }));
  assert.equal(uriOf(tracker.latestRunning), 'file:///a.c');
  tracker.update(progress({ state: 'done' }));
  assert.equal(uriOf(tracker.latestRunning), 'file:///b.c');
  assert.equal(tracker.running('file:///a.c'), undefined);
});

test('reductions interrupted by the end of the server are returned once and not shown', () => {
  const tracker = new ReductionTracker();
  tracker.update(progress());
  tracker.update(progress({ uri: 'file:///b.c', state: 'done' }));
  assert.deepEqual(
    tracker.interrupt().map(({ uri }) => uri),
    ['file:///a.c'],
  );
  assert.equal(tracker.latestRunning, undefined);
  assert.deepEqual(tracker.interrupt(), []);
  assert.ok(tracker.of('file:///b.c'));
});

test('the chart starts again with another reduction, or another round', () => {
  const tracker = new ReductionTracker();
  const sizes = (): number[] => tracker.of('file:///a.c')?.points.map(({ bytes }) => bytes) ?? [];
  tracker.update(progress({ bytes: 50, seconds: 1 }));
  tracker.update(progress({ bytes: 50, seconds: 2 }));
  tracker.update(progress({ bytes: 40, seconds: 3 }));
  assert.deepEqual(sizes(), [50, 40]);
  tracker.update(progress({ bytes: 70, seconds: 0 }));
  assert.deepEqual(sizes(), [70]);
  tracker.update(progress({ bytes: 90, seconds: 9, id: 'reduction-2' }));
  assert.deepEqual(sizes(), [90]);
});

test('the menu has only commands that apply', () => {
  const commands = (
    state: ProgressParams['state'] | null,
    restorable: boolean,
    hasOthers = false,
  ): string[] =>
    menu(state ? progress({ state }) : undefined, { restorable, hasOthers }).map(
      ({ label }) => label,
    );
  assert.deepEqual(commands('reducing', false), [
    '$(debug-stop) Stop',
    '$(debug-pause) Pause',
    '$(output) Show log',
  ]);
  assert.ok(commands('paused', false).includes('$(debug-continue) Resume'));
  assert.deepEqual(commands('done', true), [
    '$(discard) Restore original',
    '$(history) Show reduction history',
    '$(graph-line) Open report',
    '$(output) Show log',
  ]);
  assert.ok(!commands('reducing', true).includes('$(graph-line) Open report'));
  assert.deepEqual(commands(null, false), ['$(output) Show log']);
  const others = '$(bug) Reduce another failure…';
  assert.ok(commands('done', true, true).includes(others));
  assert.ok(!commands('reducing', true, true).includes(others));
});
