/** Looks for a server on this machine: the probes of `discovery`. */

import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';

import { NEEDED_VERSION } from '../protocol.js';
import { discover, parseVersion, type Discovery, type LaunchCommand, type Probes } from './discovery.js';
import { output, packageVersion, type ProcessOptions } from './processes.js';
import { activeInterpreter, pythonCommands } from './pythons.js';

/** Look for a server that can be started. */
export async function locate(context: vscode.ExtensionContext): Promise<Discovery> {
  return discover(probes(context));
}

/** The options of all processes: they start in the extension's own folder. */
export function processOptions(context: vscode.ExtensionContext): ProcessOptions {
  return { folder: context.extensionPath };
}

/** The Python of the environment that *Install Pollard* creates. */
export function installedPython(context: vscode.ExtensionContext): string {
  const environment = path.join(context.globalStorageUri.fsPath, 'server');
  return process.platform === 'win32'
    ? path.join(environment, 'Scripts', 'python.exe')
    : path.join(environment, 'bin', 'python');
}

/** Commands that may start a Python; the user's choices come first. */
export async function candidatePythons(): Promise<readonly (readonly string[])[]> {
  return [...pythonCommands(setting('interpreter'), await activeInterpreter())];
}

/** Return whether there is a server that the extension contains or has installed. */
export async function hasOwnCopy(context: vscode.ExtensionContext): Promise<boolean> {
  return (await exists(bundledLibs(context))) || (await exists(installedPython(context)));
}

function probes(context: vscode.ExtensionContext): Probes {
  const where = processOptions(context);
  return {
    path: setting('path'),
    interpreter: setting('interpreter'),
    needed: NEEDED_VERSION,
    programVersion: async (program) => {
      const answer = await output(program, ['--version'], where);
      return answer === null ? null : parseVersion(answer);
    },
    packageVersion: (python) => packageVersion(python, where),
    activeInterpreter,
    bundled: () => bundled(context, where),
    installed: () => installed(context, where),
  };
}

/** The settings that decide which server is found, as one text that can be compared. */
export function programSettings(): string {
  return JSON.stringify([setting('path'), setting('interpreter')]);
}

/** Return a setting that names a program, with `~` and variables expanded. */
function setting(key: 'path' | 'interpreter'): string {
  const value = vscode.workspace.getConfiguration('pollard').get<string>(key)?.trim() ?? '';
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  return value
    .replace(/^~(?=[/\\])/, os.homedir())
    .replaceAll('${workspaceFolder}', folder)
    .replaceAll('${userHome}', os.homedir());
}

async function bundled(
  context: vscode.ExtensionContext,
  where: ProcessOptions,
): Promise<LaunchCommand | 'no python' | null> {
  const script = path.join(context.extensionPath, 'bundled', 'serve.py');
  if (!(await exists(bundledLibs(context)))) {
    return null;
  }
  for (const candidate of await candidatePythons()) {
    const [command, ...args] = candidate;
    // A Python for which the bundle has no compiled parts fails here.
    const version = command && (await output(command, [...args, script, '--version'], where));
    if (command && version) {
      const parsed = parseVersion(version) ?? NEEDED_VERSION;
      return { command, args: [...args, script], origin: 'the bundled copy', version: parsed };
    }
  }
  return 'no python';
}

async function installed(
  context: vscode.ExtensionContext,
  where: ProcessOptions,
): Promise<LaunchCommand | null> {
  const python = installedPython(context);
  const version = (await exists(python)) ? await packageVersion(python, where) : null;
  const args = ['-m', 'pollard_server'];
  return version ? { command: python, args, origin: 'the installed copy', version } : null;
}

function bundledLibs(context: vscode.ExtensionContext): string {
  return path.join(context.extensionPath, 'bundled', 'libs', 'pollard_server');
}

async function exists(file: string): Promise<boolean> {
  return fs.access(file).then(
    () => true,
    () => false,
  );
}
