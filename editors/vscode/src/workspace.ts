/** Finds out whether this workspace uses Pollard; if so, the server is started early. */

import * as vscode from 'vscode';

const SETTINGS_FILES = '**/{pollard.toml,pyproject.toml}';
const SKIPPED = '**/{node_modules,.git,.venv,venv}/**';
const MAX_FILES_READ = 50;

/** Return whether the workspace or the user's settings configure an oracle. */
export async function usesPollard(): Promise<boolean> {
  const oracles = vscode.workspace.getConfiguration('pollard').get<object | null>('oracles');
  if (oracles && Object.keys(oracles).length > 0) {
    return true;
  }
  const files = await vscode.workspace.findFiles(SETTINGS_FILES, SKIPPED, MAX_FILES_READ);
  const answers = await Promise.all(files.map(isSettingsFile));
  return answers.includes(true);
}

/** Call `appeared` when a settings file of Pollard is created or saved. */
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
    return false; // deleted meanwhile, or not readable
  }
}
