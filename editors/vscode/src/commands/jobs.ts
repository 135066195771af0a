/** Commands about the reduction of a file: stop it, hold it, take it back. */

import * as vscode from 'vscode';

import type { Tracker } from '../reductions/tracker.js';
import type { Session } from '../session.js';
import { uriOf } from './targets.js';

/** The document that the commands are about: the active one, else the one being reduced. */
export function subject(tracker: Tracker): string | undefined {
  const editor = vscode.window.activeTextEditor;
  const active = editor && uriOf(editor.document);
  const busy = tracker.latestRunning?.progress.uri;
  return active !== undefined && (tracker.of(active) || busy === undefined) ? active : busy;
}

export async function stop(session: Session, tracker: Tracker): Promise<void> {
  const uri = subject(tracker);
  if (uri !== undefined && session.running) {
    await session.execute('pollard.stop', { uri });
  }
}

export async function pauseOrResume(session: Session, tracker: Tracker): Promise<void> {
  const uri = subject(tracker);
  const progress = uri === undefined ? undefined : tracker.running(uri);
  if (progress) {
    const command = progress.state === 'paused' ? 'pollard.resume' : 'pollard.pause';
    await session.execute(command, { id: progress.id });
  }
}

/** Bring back the text with which the first of the reductions of a file began. */
export async function restoreOriginal(session: Session, tracker: Tracker): Promise<void> {
  const uri = subject(tracker);
  if (uri !== undefined) {
    await session.execute('pollard.restore', { uri });
  }
}
