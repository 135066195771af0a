/** *Install Pollard*: installs the server that came with the extension into an environment of its own. */

import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';

import { messageOf } from '../errors.js';
import { candidatePythons, installedPython, processOptions } from './locating.js';
import { firstPython, run } from './processes.js';

/** Install the server and show the progress; after a failure, tell the user and reject. */
export async function installServer(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): Promise<void> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: 'Installing Pollard',
    cancellable: true,
  };
  try {
    await vscode.window.withProgress(options, (progress, token) =>
      install(context, log, (message) => progress.report({ message }), token),
    );
  } catch (error) {
    const choice = 'Show Log';
    const reason = messageOf(error);
    void vscode.window.showErrorMessage(`Pollard could not be installed: ${reason}.`, choice).then(
      (chosen) => chosen === choice && log.show(),
    );
    throw error;
  }
}

async function install(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  report: (message: string) => void,
  token: vscode.CancellationToken,
): Promise<void> {
  const where = processOptions(context);
  const python = await firstPython(await candidatePythons(), where);
  const wheel = await packagedWheel(context);
  if (!python) {
    throw new Error('no Python 3.10 or newer was found');
  }
  const environment = path.dirname(path.dirname(installedPython(context)));
  await fs.rm(environment, { recursive: true, force: true });
  const [command = '', ...args] = python;
  const step = (program: string, given: readonly string[]): Promise<void> => {
    log.info([program, ...given].join(' '));
    return run(program, given, where, (line) => log.info(line), (kill) => {
      token.onCancellationRequested(kill);
    });
  };
  report('creating an environment');
  await step(command, [...args, '-m', 'venv', environment]);
  report('installing the server and its dependencies');
  await step(installedPython(context), ['-m', 'pip', 'install', '--no-input', wheel]);
}

async function packagedWheel(context: vscode.ExtensionContext): Promise<string> {
  const folder = path.join(context.extensionPath, 'server');
  const wheel = (await fs.readdir(folder).catch(() => [])).find((name) => name.endsWith('.whl'));
  if (!wheel) {
    throw new Error('this copy of the extension contains no server');
  }
  return path.join(folder, wheel);
}
