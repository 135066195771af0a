/**
 * Starts the server once the cursor is on a diagnostic.
 *
 * A workspace that has no oracle does not use Pollard yet, so no server runs that could offer
 * *Reduce to this diagnostic*. VS Code asks for code actions whenever the cursor comes to a diagnostic,
 * and asks again when the server is there.
 */

import * as vscode from 'vscode';

/** Call `seen` when code actions are requested for a diagnostic. */
export function watchForSquiggles(seen: () => void): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    [{ scheme: 'file' }, { scheme: 'untitled' }],
    {
      provideCodeActions: (_document, _range, { diagnostics }) => {
        if (diagnostics.length > 0) {
          seen();
        }
        return []; // the server offers the action
      },
    },
  );
}
