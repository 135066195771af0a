/** Which server is started, and the message if there is none. */

import assert from 'node:assert/strict';
import test from 'node:test';

import {
  discover,
  isNewEnough,
  parseVersion,
  type LaunchCommand,
  type Probes,
} from '../src/server/discovery.js';

const BUNDLED: LaunchCommand = {
  command: 'python3',
  args: ['serve.py'],
  origin: 'the bundled copy',
  version: '1.0',
};
const INSTALLED: LaunchCommand = { ...BUNDLED, origin: 'the installed copy' };

/** Return the probes of a machine that has only the given programs. */
function machine(has: Partial<Probes> = {}): Probes {
  const nothing = (): Promise<null> => Promise.resolve(null);
  return {
    path: '',
    interpreter: '',
    needed: '1.0',
    programVersion: nothing,
    packageVersion: nothing,
    activeInterpreter: nothing,
    bundled: nothing,
    installed: nothing,
    ...has,
  };
}

const answer =
  <T>(value: T) =>
  (): Promise<T> =>
    Promise.resolve(value);

test('the program in the settings takes precedence over everything', async () => {
  const all = machine({
    path: '/opt/pollard',
    interpreter: '/opt/python',
    programVersion: answer('1.2'),
    packageVersion: answer('1.2'),
    bundled: answer(BUNDLED),
  });
  assert.deepEqual(await discover(all), {
    command: '/opt/pollard',
    args: ['serve'],
    origin: 'the setting pollard.path',
    version: '1.2',
  });
});

test('a program in the settings that does not start is an error', async () => {
  const broken = machine({ path: '/gone', bundled: answer(BUNDLED) });
  const found = await discover(broken);
  assert.deepEqual(found, { reason: 'broken', what: '/gone', setting: 'path' });
});

test('an old server in the settings is an error', async () => {
  const old = machine({
    interpreter: '/py',
    packageVersion: answer('0.9'),
    bundled: answer(BUNDLED),
  });
  const found = await discover(old);
  assert.deepEqual(found, {
    reason: 'old',
    what: '/py has Pollard 0.9',
    setting: 'interpreter',
  });
});

test('a Python in the settings without Pollard starts the bundled copy', async () => {
  const own = { ...BUNDLED, command: '/py' };
  assert.equal(await discover(machine({ interpreter: '/py', bundled: answer(own) })), own);
});

test('a Python in the settings that does not start is an error', async () => {
  const gone = machine({
    interpreter: '/gone',
    bundled: answer(BUNDLED),
    installed: answer(INSTALLED),
  });
  const found = await discover(gone);
  assert.deepEqual(found, { reason: 'broken', what: '/gone', setting: 'interpreter' });
});

test("the Python extension's interpreter takes precedence over the bundled copy", async () => {
  const found = await discover(
    machine({
      activeInterpreter: answer('/venv/python'),
      packageVersion: answer('1.0'),
      bundled: answer(BUNDLED),
    }),
  );
  assert.equal('command' in found && found.command, '/venv/python');
});

test('the bundled copy is used if that interpreter has an old package', async () => {
  const found = await discover(
    machine({
      activeInterpreter: answer('/venv/python'),
      packageVersion: answer('0.1'),
      bundled: answer(BUNDLED),
    }),
  );
  assert.equal(found, BUNDLED);
});

test('the installed copy is used if nothing is bundled, the search path comes last', async () => {
  const both = machine({ installed: answer(INSTALLED), programVersion: answer('1.0') });
  assert.equal(await discover(both), INSTALLED);
  const found = await discover(machine({ programVersion: answer('1.0') }));
  assert.equal('origin' in found && found.origin, 'the search path');
});

test('an installed copy of an older extension is not used', async () => {
  const old = machine({ installed: answer({ ...INSTALLED, version: '0.9' }) });
  assert.deepEqual(await discover(old), { reason: 'none', what: '' });
});

test('the error names what is missing: a server, a Python, or a newer version', async () => {
  assert.deepEqual(await discover(machine()), { reason: 'none', what: '' });
  const pythonless = await discover(machine({ bundled: answer('no python' as const) }));
  assert.equal('reason' in pythonless && pythonless.reason, 'no python');
  const old = await discover(machine({ programVersion: answer('0.9') }));
  assert.equal('reason' in old && old.reason, 'old');
});

test('versions are compared number by number', () => {
  assert.ok(isNewEnough('0.10.0', '0.9.1'));
  assert.ok(isNewEnough('1.0', '1.0.0'));
  assert.ok(!isNewEnough('0.9.9', '0.10'));
  assert.ok(isNewEnough('1.0rc1', '1.0'));
});

test("the version is found in a program's output", () => {
  assert.equal(parseVersion('pollard, version 0.1.0\n'), '0.1.0');
  assert.equal(parseVersion('pollard-server, version 2.3'), '2.3');
  assert.equal(parseVersion('usage: something else'), null);
});
