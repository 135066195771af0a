/** *Reduce Another Failure…*: lists the failures of another kind that a file's reductions saw. */

import * as vscode from 'vscode';

import { endMessage, otherEntries } from '../history/others.js';
import type { ProgressParams } from '../protocol.js';
import type { WindowServer } from '../windowServer.js';
import { executeWithProgress } from './reduce.js';
import { documentOf, nameOf, uriOf } from './targets.js';

/** Let the user choose another failure of the active file, and reduce it. */
export async function reduceOtherActive(server: WindowServer): Promise<void> {
  const editor = documentOf(vscode.window.activeTextEditor);
  if (editor) {
    await reduceOther(server, uriOf(editor.document));
  }
}

/** Let the user choose another failure of a file, and reduce it. */
export async function reduceOther(server: WindowServer, uri: string): Promise<void> {
  const { records } = await server.execute('pollard.history', { uri });
  const entries = otherEntries(records);
  if (entries.length === 0) {
    const message = `No reduction of ${nameOf(uri)} has seen another failure.`;
    void vscode.window.showInformationMessage(message);
    return;
  }
  const title = `Reduce another failure of ${nameOf(uri)}`;
  const options = { title, matchOnDescription: true, matchOnDetail: true };
  const chosen = await vscode.window.showQuickPick(entries, options);
  if (chosen) {
    const { record, number } = chosen;
    await executeWithProgress(server, 'pollard.reduceOther', { uri, record, number });
  }
}

/** At the end of a reduction that saw other failures, say so, with a button that lists them. */
export async function offerOthers(server: WindowServer, progress: ProgressParams): Promise<void> {
  const message = endMessage(progress, nameOf(progress.uri));
  const button = 'Reduce Another Failure…';
  if (message && (await vscode.window.showInformationMessage(message, button)) === button) {
    await reduceOther(server, progress.uri);
  }
}
