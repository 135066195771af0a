/** *Reduce Folder…*: into a new folder beside it, which opens when the reduction has ended. */

import * as vscode from 'vscode';

import type { ProgressParams } from '../protocol.js';
import type { WindowServer } from '../windowServer.js';
import { explain, pickOracle } from './oracles.js';
import { executeWithProgress } from './reduce.js';
import { uriOf } from './targets.js';

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

async function askForFolder(): Promise<vscode.Uri | undefined> {
  const defaultUri = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chosen = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    openLabel: 'Reduce',
    title: 'Reduce folder',
    ...(defaultUri && { defaultUri }),
  });
  return chosen?.[0];
}

/** Return whether a report is on the reduction of a folder. */
export function isOfFolder(progress: ProgressParams): boolean {
  return typeof progress.files === 'number';
}

/** At the end of the reduction of a folder, say how it ended, and open the new folder. */
export async function openResult({ message, result }: ProgressParams): Promise<void> {
  if (typeof result !== 'string') {
    return;
  }
  void vscode.window.showInformationMessage(message);
  const folder = vscode.Uri.parse(result);
  if (vscode.workspace.getWorkspaceFolder(folder)) {
    await vscode.commands.executeCommand('revealInExplorer', folder);
  } else {
    await vscode.commands.executeCommand('vscode.openFolder', folder, { forceNewWindow: true });
  }
}
