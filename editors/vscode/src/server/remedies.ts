/** Tells the user why there is no server, with a button for the remedy. */

import * as vscode from 'vscode';

import { messageOf } from '../errors.js';
import type { MissingServer } from './discovery.js';
import { installServer } from './installing.js';
import { hasOwnCopy } from './locating.js';

interface Remedy {
  readonly title: string;
  apply(): Promise<void>;
}

/** Tell the user why there is no server; calls `restart` after the remedy. */
export async function offerRemedy(
  missing: MissingServer,
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  restart: () => Promise<void>,
): Promise<void> {
  const remedy = await remedyFor(missing, context, log);
  const choice = await vscode.window.showErrorMessage(sentence(missing), remedy.title);
  if (choice !== remedy.title) {
    return;
  }
  try {
    await remedy.apply();
    await restart();
  } catch (error) {
    log.error(messageOf(error));
  }
}

/** Return the message for the user. */
export function sentence({ reason, what, setting }: MissingServer): string {
  const named = setting ? ` It is named by the setting pollard.${setting}.` : '';
  switch (reason) {
    case 'broken':
      return setting === 'interpreter'
        ? `Pollard: the Python ${what} cannot be started, or Pollard is not installed in it.${named}`
        : `Pollard: the program ${what} cannot be started.${named}`;
    case 'old':
      return `Pollard: ${what}, which is too old for this extension.${named}`;
    case 'no python':
      return 'Pollard needs Python 3.10 or newer, and found none that this copy of it supports.';
    case 'none':
      return 'Pollard: the language server is not installed.';
  }
}

async function remedyFor(
  { reason, setting }: MissingServer,
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): Promise<Remedy> {
  if (reason === 'no python') {
    return { title: 'Choose Python…', apply: choosePython };
  }
  const clear = async (): Promise<void> => (setting ? reset(setting) : undefined);
  if (setting && (await hasOwnCopy(context))) {
    return { title: 'Use Bundled Server', apply: clear };
  }
  const install = async (): Promise<void> => {
    await installServer(context, log);
    await clear();
  };
  return { title: 'Install Pollard', apply: install };
}

async function reset(key: 'path' | 'interpreter'): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('pollard');
  const { globalValue, workspaceValue } = configuration.inspect(key) ?? {};
  if (workspaceValue !== undefined) {
    await configuration.update(key, undefined, vscode.ConfigurationTarget.Workspace);
  }
  if (globalValue !== undefined) {
    await configuration.update(key, undefined, vscode.ConfigurationTarget.Global);
  }
}

async function choosePython(): Promise<void> {
  const [file] = (await vscode.window.showOpenDialog({ title: 'Python 3.10 or newer' })) ?? [];
  if (file) {
    const configuration = vscode.workspace.getConfiguration('pollard');
    await configuration.update('interpreter', file.fsPath, vscode.ConfigurationTarget.Global);
  }
}
