/** Commands for a running reduction (stop, pause, resume), and *Restore Original*. */

import * as vscode from 'vscode';

import type { ProgressParams } from '../protocol.js';
import type { ReductionTracker } from '../reductions/tracker.js';
import type { WindowServer } from '../windowServer.js';
import { documentOf, uriOf } from './targets.js';

/** Return the reduction that a command applies to: the active file's, else any running one. */
export function targetReduction(tracker: ReductionTracker): ProgressParams | undefined {
  const editor = vscode.window.activeTextEditor;
  const own = editor && tracker.running(uriOf(editor.document));
  return own ?? tracker.latestRunning?.progress;
}

export async function stop(server: WindowServer, tracker: ReductionTracker): Promise<void> {
  const progress = targetReduction(tracker);
  if (progress) {
    await server.execute('pollard.stop', { id: progress.id });
  }
}

export async function pauseOrResume(
  server: WindowServer,
  tracker: ReductionTracker,
): Promise<void> {
  const progress = targetReduction(tracker);
  if (progress) {
    const command = progress.state === 'paused' ? 'pollard.resume' : 'pollard.pause';
    await server.execute(command, { id: progress.id });
  }
}

/** Bring back the original text of the first of the active file's reductions. */
export async function restoreOriginal(server: WindowServer): Promise<void> {
  const editor = documentOf(vscode.window.activeTextEditor);
  if (editor) {
    await server.execute('pollard.restore', { uri: uriOf(editor.document) });
  }
}
