/** What is said when nothing can be reduced. */

import * as vscode from 'vscode';

import type { Oracles } from '../protocol.js';

/** Tell the user what is in the way, with a button that leads to where it can be mended. */
export async function explain({ obstacle, reason, file }: Oracles): Promise<void> {
  const message = obstacle ?? 'Pollard cannot reduce this file now.';
  if (reason === 'untrusted') {
    const manage = 'Manage Workspace Trust';
    if ((await vscode.window.showWarningMessage(message, manage)) === manage) {
      await vscode.commands.executeCommand('workbench.trust.manage');
    }
  } else if (reason === 'settings' && file !== null) {
    const open = 'Open Settings File';
    if ((await vscode.window.showErrorMessage(message, open)) === open) {
      await vscode.window.showTextDocument(vscode.Uri.parse(file));
    }
  } else {
    await vscode.window.showWarningMessage(message);
  }
}
