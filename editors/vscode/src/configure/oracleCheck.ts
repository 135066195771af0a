/** A check of an oracle, from the command to what came of it. */

import * as vscode from 'vscode';

import type { CheckedParams, ServerCommands } from '../protocol.js';
import type { WindowServer } from '../windowServer.js';

/**
 * Run a check; returns null if the server went away or the user cancelled.
 *
 * What came of it may be told before the command has been answered, so all checks are kept meanwhile.
 */
export async function runCheck(
  session: WindowServer,
  argument: ServerCommands['pollard.checkOracle'][0],
): Promise<CheckedParams | null> {
  const told = new Map<string, CheckedParams>();
  let settle: (() => void) | undefined;
  let over = false;
  const listeners = [
    session.onChecked((checked) => {
      told.set(checked.id, checked);
      settle?.();
    }),
    session.onStopped(() => {
      over = true;
      settle?.();
    }),
  ];
  try {
    const { id } = await session.execute('pollard.checkOracle', argument);
    return await whileShown<CheckedParams | null>(session, id, async (cancelled) => {
      cancelled.onCancellationRequested(() => settle?.());
      while (!told.has(id) && !over && !cancelled.isCancellationRequested) {
        await new Promise<void>((resolve) => {
          settle = resolve;
        });
      }
      return told.get(id) ?? null;
    });
  } finally {
    listeners.forEach((listener) => void listener.dispose());
  }
}

function whileShown<T>(
  session: WindowServer,
  id: string,
  work: (cancelled: vscode.CancellationToken) => Promise<T>,
): Thenable<T> {
  const location = vscode.ProgressLocation.Notification;
  const options = { location, title: 'Running the oracle', cancellable: true };
  return vscode.window.withProgress(options, (_progress, cancelled) => {
    cancelled.onCancellationRequested(() => void session.execute('pollard.stop', { id }));
    return work(cancelled);
  });
}
