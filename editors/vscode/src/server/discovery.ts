/**
 * Which server is started: the first of these that there is and that is new enough.
 *
 * 1. the program of the setting `pollard.path`
 * 2. the package in the Python of the setting `pollard.interpreter`, if it has one
 * 3. the package in the Python extension's interpreter, in trusted workspaces only
 * 4. the copy that came with the extension, or that it installed, with any Python that is new enough
 * 5. the program `pollard` of the search path
 *
 * What the user has set is never passed over in silence: if it does not work, that is said.
 */

import { isNewEnough } from './versions.js';

/** How to start a server, and where it was found. */
export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly origin: string;
  readonly version: string;
}

/** Why there is no server to start. */
export interface MissingServer {
  readonly reason: 'old' | 'broken' | 'no python' | 'none';
  readonly what: string;
  readonly setting?: 'path' | 'interpreter';
}

export type Discovery = LaunchCommand | MissingServer;

/** What the search looks at; each answers with null for what is not there. */
export interface Probes {
  readonly path: string;
  readonly interpreter: string;
  readonly needed: string;
  /** The version that a program tells when asked `--version`. */
  programVersion(program: string): Promise<string | null>;
  /** The version of the server that a Python can import. */
  packageVersion(python: string): Promise<string | null>;
  /** The Python extension's interpreter for the workspace. */
  activeInterpreter(): Promise<string | null>;
  /** The bundled copy, with a Python to start it with; `no python` if only that is missing. */
  bundled(): Promise<LaunchCommand | 'no python' | null>;
  /** The copy that the extension installed. */
  installed(): Promise<LaunchCommand | null>;
}

/** Look for a server. */
export async function discover(around: Probes): Promise<Discovery> {
  if (around.path) {
    const version = await around.programVersion(around.path);
    return judged(around, 'path', around.path, version, program(around.path));
  }
  if (around.interpreter) {
    const version = await around.packageVersion(around.interpreter);
    // A Python without Pollard can still be the one that the bundled copy is started with.
    const own = version ? null : await around.bundled();
    return own && own !== 'no python' && own.command === around.interpreter
      ? own
      : judged(around, 'interpreter', around.interpreter, version, module(around.interpreter));
  }
  return unset(around);
}

export function isMissing(found: Discovery): found is MissingServer {
  return 'reason' in found;
}

async function unset(around: Probes): Promise<Discovery> {
  const olds: string[] = [];
  const active = await fromActive(around, olds);
  if (active) {
    return active;
  }
  const own = await ownCopy(around);
  if (own && own !== 'no python') {
    return own;
  }
  const onPath = await fromSearchPath(around, olds);
  if (onPath) {
    return onPath;
  }
  if (own === 'no python') {
    return { reason: 'no python', what: 'Python 3.10 or newer' };
  }
  const [old] = olds;
  return old ? { reason: 'old', what: old } : { reason: 'none', what: '' };
}

async function fromActive(around: Probes, olds: string[]): Promise<LaunchCommand | null> {
  const python = await around.activeInterpreter();
  const version = python && (await around.packageVersion(python));
  if (!python || !version) {
    return null;
  }
  if (!isNewEnough(version, around.needed)) {
    olds.push(`${python} has Pollard ${version}`);
    return null;
  }
  return { ...module(python), origin: "the Python extension's interpreter", version };
}

async function fromSearchPath(around: Probes, olds: string[]): Promise<LaunchCommand | null> {
  const version = await around.programVersion('pollard');
  if (version && !isNewEnough(version, around.needed)) {
    olds.push(`the search path has Pollard ${version}`);
    return null;
  }
  return version ? { ...program('pollard'), origin: 'the search path', version } : null;
}

/** The copy that came with the extension, else the one that it installed. */
async function ownCopy(around: Probes): Promise<LaunchCommand | 'no python' | null> {
  const bundled = await around.bundled();
  if (bundled && bundled !== 'no python') {
    return bundled;
  }
  const installed = await around.installed();
  return installed && isNewEnough(installed.version, around.needed) ? installed : bundled;
}

function judged(
  around: Probes,
  setting: 'path' | 'interpreter',
  what: string,
  version: string | null,
  start: Pick<LaunchCommand, 'command' | 'args'>,
): Discovery {
  if (!version) {
    return { reason: 'broken', what, setting };
  }
  if (!isNewEnough(version, around.needed)) {
    return { reason: 'old', what: `${what} has Pollard ${version}`, setting };
  }
  return { ...start, origin: `the setting pollard.${setting}`, version };
}

function program(command: string): Pick<LaunchCommand, 'command' | 'args'> {
  return { command, args: ['serve'] };
}

function module(python: string): Pick<LaunchCommand, 'command' | 'args'> {
  return { command: python, args: ['-m', 'pollard_server'] };
}
