/** The failure of a result, and the other failures that candidates showed. */

import assert from 'node:assert/strict';
import test from 'node:test';

import { endMessage, hasOthers, otherEntries } from '../src/history/others.js';
import type { HistoryRecord, OtherFailure } from '../src/protocol.js';
import { ReductionTracker } from '../src/reductions/tracker.js';
import { spokenText, statusText, tooltip } from '../src/status/text.js';
import { progress } from './progress.js';

test('a changed failure is never hidden, however the reduction ended', () => {
  for (const state of ['done', 'stopped'] as const) {
    const changed = progress({ state, bytes: 212, failureChanged: true });
    assert.equal(statusText(changed), '$(warning) 48 kB → 212 B · the failure has changed');
    assert.match(spokenText(changed), /, the failure has changed$/);
  }
});

test('the tooltip compares the failures', () => {
  const comparison = ['THE FAILURE HAS CHANGED:', '  original: SIGSEGV', '  result:   SIGABRT'];
  const tracker = new ReductionTracker();
  tracker.update(progress({ state: 'done', failureChanged: true, comparison }));
  const tracked = tracker.of('file:///a.c');
  assert.ok(tracked);
  const text = tooltip(tracked, 'a.c');
  for (const line of comparison) {
    assert.ok(text.includes(line), `${line} is not in ${text}`);
  }
});

const NAME: OtherFailure = { number: 1, description: 'NameError', bytes: 9, runs: 3 };
const CRASH: OtherFailure = { number: 2, description: 'SIGSEGV', bytes: 1400, runs: 1 };

function record(id: string, others?: readonly OtherFailure[]): HistoryRecord {
  return {
    id,
    status: 'finished',
    started: '2026-11-21T14:02:11.000+00:00',
    oracle: 'gcc',
    strategy: 'default',
    continues: null,
    language: null,
    region: null,
    originalBytes: 48_000,
    bytes: 212,
    runs: 214,
    seconds: 12,
    steps: [],
    ...(others ? { others } : {}),
  };
}

test('other failures are listed once each, from the newest reduction that saw them', () => {
  const entries = otherEntries([record('1', [NAME, CRASH]), record('2', [{ ...NAME, bytes: 7 }])]);
  assert.deepEqual(
    entries.map(({ label, description, record, number }) => [label, description, record, number]),
    [
      ['NameError', '7 B', '2', 1],
      ['SIGSEGV', '1.4 kB', '1', 2],
    ],
  );
  assert.match(entries[1]?.detail ?? '', /^seen in 1 run of the reduction of /);
});

test('a server that does not know other failures has none', () => {
  assert.deepEqual(otherEntries([record('1')]), []);
  assert.equal(hasOthers([record('1'), record('2', [])]), false);
  assert.equal(hasOthers([record('1', [NAME]), record('2')]), true);
});

test('the end is announced if there is a report or another failure', () => {
  const message = '48 kB → 212 B; 1 other failure seen';
  const seen = { message, others: [NAME] };
  assert.equal(endMessage(progress({ state: 'done', ...seen }), 'a.c'), `a.c: ${message}.`);
  assert.equal(endMessage(progress({ state: 'stopped', ...seen }), 'a.c'), `a.c: ${message}.`);
  assert.equal(endMessage(progress({ state: 'reducing', ...seen }), 'a.c'), undefined);
  const nothing = { message, reductions: 0 };
  assert.equal(endMessage(progress({ state: 'done', message }), 'a.c'), `a.c: ${message}.`);
  assert.equal(endMessage(progress({ state: 'stopped', message }), 'a.c'), undefined);
  assert.equal(endMessage(progress({ state: 'done', ...nothing }), 'a.c'), undefined);
  const companions = [{ original: 'file:///a.h', result: null, bytes: 0, originalBytes: 9 }];
  const beside = { ...nothing, companions, message };
  assert.equal(endMessage(progress({ state: 'done', ...beside }), 'a.c'), `a.c: ${message}.`);
});
