/** Writes the settings file that the server made up. */

import * as vscode from 'vscode';

import { nameOf } from '../commands/targets.js';
import type { Configured } from '../protocol.js';

/** Write the file: through its editor if that has changes which are not saved, else to the disk. */
export async function writeSettings({ uri, text }: Configured): Promise<void> {
  const file = vscode.Uri.parse(uri);
  const open = vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === file.toString(),
  );
  if (!open?.isDirty) {
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  const all = new vscode.Range(0, 0, open.lineCount, 0);
  edit.replace(file, open.validateRange(all), text);
  await vscode.workspace.applyEdit(edit);
  await open.save();
}

/** Tell the user what was written, and offer to open it. */
export async function tellWritten({ uri, name, created }: Configured): Promise<void> {
  const file = nameOf(uri);
  const open = `Open ${file}`;
  const message = `The oracle '${name}' is in ${created ? 'the new ' : ''}${file}.`;
  if ((await vscode.window.showInformationMessage(message, open)) === open) {
    await vscode.window.showTextDocument(vscode.Uri.parse(uri));
  }
}
