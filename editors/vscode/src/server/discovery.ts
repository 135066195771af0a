/**
 * Decides which server to start: the first of these that exists and is new enough.
 *
 * 1. the program of the setting `pollard.path`
 * 2. the package in the Python of the setting `pollard.interpreter`, if it has one
 * 3. the package in the Python extension's interpreter, in trusted workspaces only
 * 4. the copy that came with the extension, or that it installed, with any Python that is new enough
 * 5. the program `pollard` of the search path
 *
 * A program that the user has set is never skipped silently: if it does not work, the user is told.
 */

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

/** What the search can ask about the machine; every probe returns null for what is missing. */
export interface Probes {
  readonly path: string;
  readonly interpreter: string;
  readonly needed: string;
  /** The version that a program prints for `--version`. */
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
export async function discover(probes: Probes): Promise<Discovery> {
  if (probes.path) {
    const version = await probes.programVersion(probes.path);
    return checked(probes, 'path', probes.path, version, program(probes.path));
  }
  if (probes.interpreter) {
    const version = await probes.packageVersion(probes.interpreter);
    // A Python without Pollard can still start the bundled copy.
    const own = version ? null : await probes.bundled();
    return own && own !== 'no python' && own.command === probes.interpreter
      ? own
      : checked(probes, 'interpreter', probes.interpreter, version, module(probes.interpreter));
  }
  return unset(probes);
}

export function isMissing(found: Discovery): found is MissingServer {
  return 'reason' in found;
}

async function unset(probes: Probes): Promise<Discovery> {
  const olds: string[] = [];
  const active = await fromActive(probes, olds);
  if (active) {
    return active;
  }
  const own = await ownCopy(probes);
  if (own && own !== 'no python') {
    return own;
  }
  const onPath = await fromSearchPath(probes, olds);
  if (onPath) {
    return onPath;
  }
  if (own === 'no python') {
    return { reason: 'no python', what: 'Python 3.10 or newer' };
  }
  const [old] = olds;
  return old ? { reason: 'old', what: old } : { reason: 'none', what: '' };
}

async function fromActive(probes: Probes, olds: string[]): Promise<LaunchCommand | null> {
  const python = await probes.activeInterpreter();
  const version = python && (await probes.packageVersion(python));
  if (!python || !version) {
    return null;
  }
  if (!isNewEnough(version, probes.needed)) {
    olds.push(`${python} has Pollard ${version}`);
    return null;
  }
  return { ...module(python), origin: "the Python extension's interpreter", version };
}

async function fromSearchPath(probes: Probes, olds: string[]): Promise<LaunchCommand | null> {
  const version = await probes.programVersion('pollard');
  if (version && !isNewEnough(version, probes.needed)) {
    olds.push(`the search path has Pollard ${version}`);
    return null;
  }
  return version ? { ...program('pollard'), origin: 'the search path', version } : null;
}

/** The copy that came with the extension, else the one that it installed. */
async function ownCopy(probes: Probes): Promise<LaunchCommand | 'no python' | null> {
  const bundled = await probes.bundled();
  if (bundled && bundled !== 'no python') {
    return bundled;
  }
  const installed = await probes.installed();
  return installed && isNewEnough(installed.version, probes.needed) ? installed : bundled;
}

/** Return how to start the server that a setting names, or why it cannot be used. */
function checked(
  probes: Probes,
  setting: 'path' | 'interpreter',
  what: string,
  version: string | null,
  start: Pick<LaunchCommand, 'command' | 'args'>,
): Discovery {
  if (!version) {
    return { reason: 'broken', what, setting };
  }
  if (!isNewEnough(version, probes.needed)) {
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

/** Return the version in a program's output for `--version`, null if there is none. */
export function parseVersion(answer: string): string | null {
  return /\b(\d+(?:\.\d+)+(?:[a-z]+\d+)?)\b/.exec(answer)?.[1] ?? null;
}

/** Return whether `version` is `needed` or newer; a pre-release suffix is ignored. */
export function isNewEnough(version: string, needed: string): boolean {
  const [have, want] = [numbers(version), numbers(needed)];
  for (let index = 0; index < Math.max(have.length, want.length); index++) {
    const difference = (have[index] ?? 0) - (want[index] ?? 0);
    if (difference !== 0) {
      return difference > 0;
    }
  }
  return true;
}

function numbers(version: string): number[] {
  return version.split('.').map((part) => Number.parseInt(part, 10) || 0);
}
