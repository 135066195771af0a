/** Runs a check of an oracle and waits for its outcome. */

import * as vscode from 'vscode';

import type { CheckedParams, ServerCommands } from '../protocol.js';
import type { WindowServer } from '../windowServer.js';

/**
 * Run a check; returns null if the server ended or the user cancelled.
 *
 * The outcome may arrive before the answer with the check's id, so all outcomes are kept meanwhile.
 */
export async function runCheck(
  server: WindowServer,
  argument: ServerCommands['pollard.checkOracle'][0],
): Promise<CheckedParams | null> {
  const outcomes = new Map<string, CheckedParams>();
  let settle: (() => void) | undefined;
  let over = false;
  const listeners = [
    server.onChecked((checked) => {
      outcomes.set(checked.id, checked);
      settle?.();
    }),
    server.onStopped(() => {
      over = true;
      settle?.();
    }),
  ];
  try {
    const { id } = await server.execute('pollard.checkOracle', argument);
    return await withNotification<CheckedParams | null>(server, id, async (cancelled) => {
      cancelled.onCancellationRequested(() => settle?.());
      while (!outcomes.has(id) && !over && !cancelled.isCancellationRequested) {
        await new Promise<void>((resolve) => {
          settle = resolve;
        });
      }
      return outcomes.get(id) ?? null;
    });
  } finally {
    listeners.forEach((listener) => void listener.dispose());
  }
}

function withNotification<T>(
  server: WindowServer,
  id: string,
  work: (cancelled: vscode.CancellationToken) => Promise<T>,
): Thenable<T> {
  const location = vscode.ProgressLocation.Notification;
  const options = { location, title: 'Running the oracle', cancellable: true };
  return vscode.window.withProgress(options, (_progress, cancelled) => {
    cancelled.onCancellationRequested(() => void server.execute('pollard.stop', { id }));
    return work(cancelled);
  });
}
