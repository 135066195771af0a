/** Whether this workspace uses Pollard, so that the server should run before it is asked for. */

import * as vscode from 'vscode';

const SETTINGS_FILES = '**/{pollard.toml,pyproject.toml}';
const SKIPPED = '**/{node_modules,.git,.venv,venv}/**';
/** Of how many settings files the contents are looked at. */
const MOST_FILES = 50;

/** Tell whether the workspace or the user's settings configure an oracle. */
export async function usesPollard(): Promise<boolean> {
  const oracles = vscode.workspace.getConfiguration('pollard').get<object | null>('oracles');
  if (oracles && Object.keys(oracles).length > 0) {
    return true;
  }
  const files = await vscode.workspace.findFiles(SETTINGS_FILES, SKIPPED, MOST_FILES);
  const answers = await Promise.all(files.map(isSettingsFile));
  return answers.includes(true);
}

/** Call `appeared` when a settings file of Pollard is made or saved. */
export function watchForSettings(appeared: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(SETTINGS_FILES, false, false, true);
  const look = async (uri: vscode.Uri): Promise<void> => {
    if (await isSettingsFile(uri)) {
      appeared();
    }
  };
  watcher.onDidCreate((uri) => void look(uri));
  watcher.onDidChange((uri) => void look(uri));
  return watcher;
}

async function isSettingsFile(uri: vscode.Uri): Promise<boolean> {
  if (uri.path.endsWith('/pollard.toml')) {
    return true;
  }
  try {
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    return /^\s*\[\s*tool\s*\.\s*pollard\b/m.test(text);
  } catch {
    return false; // it is gone again, or may not be read
  }
}
