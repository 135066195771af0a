/** Undo steps, settings and the server's questions. */

import assert from 'node:assert/strict';
import test from 'node:test';

import {
  setValues,
  type WorkspaceConfiguration,
  type Inspected,
} from '../src/client/userSettings.js';
import { UndoGrouping } from '../src/edits/grouping.js';

test('successive edits belong to one undo step', () => {
  const grouping = new UndoGrouping();
  assert.ok(grouping.begins('a', 7));
  grouping.applied('a', 7, true);
  assert.ok(!grouping.begins('a', 8));
  grouping.applied('a', 8, true);
  assert.ok(!grouping.begins('a', 9));
});

test('after any other change of the document the next edit begins a step', () => {
  const grouping = new UndoGrouping();
  grouping.applied('a', 7, true);
  assert.ok(grouping.begins('a', 9));
});

test('a refused edit ends the step, and so does the end of the reduction', () => {
  const grouping = new UndoGrouping();
  grouping.applied('a', 7, true);
  grouping.applied('a', 8, false);
  assert.ok(grouping.begins('a', 8));
  grouping.applied('a', 8, true);
  grouping.end('a');
  assert.ok(grouping.begins('a', 9));
});

test('each document has steps of its own', () => {
  const grouping = new UndoGrouping();
  grouping.applied('a', 7, true);
  assert.ok(grouping.begins('b', 8));
});

/** Return a configuration with these values set by the user, and defaults for all others. */
function configuration(
  set: Record<string, unknown>,
  where: keyof Inspected = 'globalValue',
): WorkspaceConfiguration {
  return {
    get: (key: string): unknown => (key in set ? set[key] : 'the default'),
    inspect: (key: string): Inspected => (key in set ? { [where]: set[key] } : {}),
  };
}

test('only set values reach the server, so that defaults do not override pollard.toml', () => {
  assert.deepEqual(setValues(configuration({})), {});
  assert.deepEqual(setValues(configuration({ jobs: 4 })), { jobs: 4 });
  const oracles = { gcc: { command: 'gcc' } };
  assert.deepEqual(setValues(configuration({ oracles }, 'workspaceFolderValue')), { oracles });
});

test('keys with dots become tables; null and empty values count as unset', () => {
  const set = { 'stream.mode': 'final', 'stream.interval': 100, guard: null, timeout: '' };
  assert.deepEqual(setValues(configuration(set)), { stream: { mode: 'final', interval: 100 } });
  assert.deepEqual(setValues(configuration({ guard: false })), { guard: false });
  const off = { 'preprocessing.hide': false, learn_invalid: true };
  assert.deepEqual(setValues(configuration(off)), {
    preprocessing: { hide: false },
    learn_invalid: true,
  });
});
