/** The texts of *Configure Oracle* and of the history. */

import assert from 'node:assert/strict';
import test from 'node:test';

import { criterionDetail, lastLine, outcome, report } from '../src/configure/runReport.js';
import { isRestorable, recordEntry, stepEntry, thinned } from '../src/history/steps.js';
import type { HistoryRecord, CheckedRun, HistoryStep } from '../src/protocol.js';

function run(changes: Partial<CheckedRun> = {}): CheckedRun {
  return {
    verdict: 'uninteresting',
    exitCode: 1,
    signal: null,
    seconds: 0.034,
    stdout: 'out\n',
    stderr: '',
    truncated: false,
    ...changes,
  };
}

function step(number: number, bytes: number): HistoryStep {
  return { number, bytes, runs: number * 2, seconds: number, pass: 'hddh level 5' };
}

function record(changes: Partial<HistoryRecord> = {}): HistoryRecord {
  return {
    id: '1',
    status: 'finished',
    started: '2026-01-02T03:04:05Z',
    oracle: 'gcc',
    strategy: 'default',
    continues: null,
    language: 'c',
    region: null,
    originalBytes: 48_000,
    bytes: 212,
    runs: 214,
    seconds: 12,
    steps: [step(1, 212)],
    ...changes,
  };
}

test('a criterion names the failure that is kept, unless its title does', () => {
  const seen = { title: 'It exits with 1', detail: 'others may, too', definition: {} };
  assert.equal(criterionDetail(seen), 'others may, too');
  const named = { ...seen, failure: 'ValueError, raised in load' };
  assert.equal(criterionDetail(named), 'keeps ValueError, raised in load · others may, too');
  const same = { ...named, title: 'The same failure: ValueError, raised in load' };
  assert.equal(criterionDetail(same), 'others may, too');
});

test('a run is described by its outcome and duration', () => {
  assert.equal(outcome(run()), 'exit code 1, 34 ms');
  assert.equal(outcome(run({ exitCode: null, signal: 11 })), 'signal SIGSEGV, 34 ms');
  assert.equal(outcome(run({ signal: 77 })), 'signal 77, 34 ms');
  assert.match(outcome(run({ verdict: 'timeout' })), /too long/);
});

test('the last line of standard error is shown, else that of standard output, and cut', () => {
  assert.equal(lastLine(run({ stderr: 'first\nlast \n\n' })), 'last');
  assert.equal(lastLine(run()), 'out');
  assert.equal(lastLine(run({ stderr: 'x'.repeat(500) })).length, 120);
});

test('the report has all output, and says so if some of it is missing', () => {
  const checked = {
    id: 'check-1',
    uri: 'file:///a.c',
    oracle: 'gcc',
    health: 'interesting' as const,
    interesting: true,
    description: 'It fails.',
    runs: [run({ stderr: 'Segmentation fault', truncated: true })],
  };
  for (const part of ['It fails.', 'Segmentation fault', 'out', 'is missing']) {
    assert.ok(report(checked).includes(part));
  }
});

test('the listed steps are each a tenth smaller than the one before, and the last', () => {
  const steps = [step(1, 95), step(2, 89), step(3, 85), step(4, 80), step(5, 79)];
  assert.deepEqual(
    thinned(100, steps).map(({ number }) => number),
    [2, 4, 5],
  );
  assert.deepEqual(thinned(100, []), []);
});

test('a reduction is listed with its sizes, status, time and pass', () => {
  const entry = recordEntry(record());
  assert.equal(entry.label, '$(check) 48 kB → 212 B');
  for (const part of ['finished', '214 runs', '12 s', 'hddh level 5', 'oracle gcc']) {
    assert.ok(entry.detail.includes(part), entry.detail);
  }
  assert.match(recordEntry(record({ status: 'kept', steps: [] })).detail, /before you restored/);
});

test('a step is listed with its size, pass, runs and time', () => {
  const entry = stepEntry(step(3, 999), true);
  assert.deepEqual(entry, {
    label: '999 B',
    description: 'the smallest',
    detail: 'hddh level 5 · 6 runs · 3.0 s',
  });
});

test('a record can be restored once a text was accepted or kept, or another failure seen', () => {
  assert.ok(!isRestorable(record({ steps: [] })));
  assert.ok(isRestorable(record()));
  assert.ok(isRestorable(record({ status: 'kept', steps: [] })));
  const other = { number: 1, description: 'NameError', bytes: 9, runs: 3 };
  assert.ok(isRestorable(record({ steps: [], others: [other] })));
});
