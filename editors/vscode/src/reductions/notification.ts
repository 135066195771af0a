/** Shows the `$/progress` of a reduction as a notification with a Cancel button. */

import * as vscode from 'vscode';

import type { WindowServer } from '../windowServer.js';

/**
 * Show what the server reports to `token` until it ends, or until the result is disposed.
 *
 * The language client would show it in the status bar, which has no Cancel button.
 */
export async function showProgress(
  server: WindowServer,
  token: string,
): Promise<vscode.Disposable> {
  const reports = new vscode.EventEmitter<{ message: string }>();
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const ends = [
    server.onStopped(end),
    await server.onWorkDone(token, (value) => {
      if (value.kind === 'begin') {
        show(value.title ?? 'Reducing', server, token, reports.event, over);
      } else if (value.kind === 'report') {
        reports.fire({ message: value.message ?? '' });
      } else {
        end();
      }
    }),
  ];
  void over.then(() => {
    reports.dispose();
    ends.forEach((one) => void one.dispose());
  });
  return new vscode.Disposable(end);
}

function show(
  title: string,
  server: WindowServer,
  token: string,
  reports: vscode.Event<{ message: string }>,
  over: Promise<void>,
): void {
  const location = vscode.ProgressLocation.Notification;
  void vscode.window.withProgress({ location, title, cancellable: true }, (progress, cancelled) => {
    cancelled.onCancellationRequested(() => void server.cancel(token));
    reports((report) => progress.report(report));
    return over;
  });
}
