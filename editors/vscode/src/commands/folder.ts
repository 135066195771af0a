/** *Reduce Folder…*: into a new folder beside it, which opens when the reduction has ended. */

import * as vscode from 'vscode';

import { stepEntries } from '../history/steps.js';
import type { ProgressParams } from '../protocol.js';
import type { WindowServer } from '../windowServer.js';
import { explain, pickOracle } from './oracles.js';
import { OTHERS, reduceOther } from './others.js';
import { executeWithProgress } from './reduce.js';
import { nameOf, uriOf } from './targets.js';

/** Reduce a folder of the explorer, or one that the user chooses. */
export async function reduceFolder(server: WindowServer, chosen?: vscode.Uri): Promise<void> {
  const folder = chosen ?? (await askForFolder());
  if (!folder) {
    return;
  }
  const uri = folder.toString();
  const offered = await server.execute('pollard.oracles', { uri });
  if (offered.obstacle !== null) {
    await explain(offered);
    return;
  }
  const oracle = await pickOracle(offered.oracles);
  if (oracle !== undefined) {
    await executeWithProgress(server, 'pollard.reduceFolder', { uri, oracle, ...mainFile() });
  }
}

/** Return the open file: an oracle for one file runs on it, if it is in the folder. */
function mainFile(): { main?: string } {
  const editor = vscode.window.activeTextEditor;
  return editor ? { main: uriOf(editor.document) } : {};
}

async function askForFolder(
  openLabel = 'Reduce',
  title = 'Reduce folder',
): Promise<vscode.Uri | undefined> {
  const defaultUri = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chosen = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    openLabel,
    title,
    ...(defaultUri && { defaultUri }),
  });
  return chosen?.[0];
}

/** Return whether a report is on the reduction of a folder. */
export function isOfFolder(progress: ProgressParams): boolean {
  return typeof progress.files === 'number';
}

/** Let the user choose a step of the latest reduction of a folder, and open its files. */
export async function showFolderHistory(server: WindowServer, chosen?: vscode.Uri): Promise<void> {
  const folder = chosen ?? (await askForFolder('Show History', 'Show history of a folder'));
  if (!folder) {
    return;
  }
  const uri = folder.toString();
  const { records } = await server.execute('pollard.history', { uri });
  const record = records.at(-1);
  if (!record) {
    void vscode.window.showInformationMessage(`${nameOf(uri)} has not been reduced yet.`);
    return;
  }
  const title = `Latest reduction of ${nameOf(uri)}`;
  const step = await vscode.window.showQuickPick(stepEntries(record), { title });
  if (step) {
    await openFolder(vscode.Uri.parse(await server.filesOf(uri, record.id, step.number)));
  }
}

/** At the end of the reduction of a folder, say how it ended, and open the new folder. */
export async function openResult(server: WindowServer, progress: ProgressParams): Promise<void> {
  const { uri, message, result, others = [] } = progress;
  if (typeof result === 'string') {
    await openFolder(vscode.Uri.parse(result));
  }
  if (typeof result === 'string' || others.length > 0) {
    const buttons = others.length > 0 ? [OTHERS] : [];
    const pressed = await vscode.window.showInformationMessage(message, ...buttons);
    if (pressed === OTHERS) {
      await reduceOther(server, uri);
    }
  }
}

async function openFolder(folder: vscode.Uri): Promise<void> {
  if (vscode.workspace.getWorkspaceFolder(folder)) {
    await vscode.commands.executeCommand('revealInExplorer', folder);
  } else {
    await vscode.commands.executeCommand('vscode.openFolder', folder, { forceNewWindow: true });
  }
}
