/** Commands about the reduction of a file: stop it, hold it, take it back. */

import * as vscode from 'vscode';

import type { ProgressParams } from '../protocol.js';
import type { ReductionTracker } from '../reductions/tracker.js';
import type { WindowServer } from '../windowServer.js';
import { documentOf, uriOf } from './targets.js';

/** The reduction that is meant: the active file's, else any that goes on. */
export function meant(tracker: ReductionTracker): ProgressParams | undefined {
  const editor = vscode.window.activeTextEditor;
  const own = editor && tracker.running(uriOf(editor.document));
  return own ?? tracker.latestRunning?.progress;
}

export async function stop(session: WindowServer, tracker: ReductionTracker): Promise<void> {
  const progress = meant(tracker);
  if (progress) {
    await session.execute('pollard.stop', { id: progress.id });
  }
}

export async function pauseOrResume(
  session: WindowServer,
  tracker: ReductionTracker,
): Promise<void> {
  const progress = meant(tracker);
  if (progress) {
    const command = progress.state === 'paused' ? 'pollard.resume' : 'pollard.pause';
    await session.execute(command, { id: progress.id });
  }
}

/** Bring back the text with which the first of the reductions of the active file began. */
export async function restoreOriginal(session: WindowServer): Promise<void> {
  const editor = documentOf(vscode.window.activeTextEditor);
  if (editor) {
    await session.execute('pollard.restore', { uri: uriOf(editor.document) });
  }
}
