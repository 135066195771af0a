/** *Reduce Another Failure…*: lists the failures of another kind that a file's reductions saw. */

import * as vscode from 'vscode';

import { endMessage, otherEntries } from '../history/others.js';
import type { ProgressParams } from '../protocol.js';
import type { WindowServer } from '../windowServer.js';
import { compareCompanions } from './companions.js';
import { executeWithProgress } from './reduce.js';
import { openReport } from './report.js';
import { documentOf, nameOf, uriOf } from './targets.js';

/** Let the user choose another failure of the active file, and reduce it. */
export async function reduceOtherActive(server: WindowServer): Promise<void> {
  const editor = documentOf(vscode.window.activeTextEditor);
  if (editor) {
    await reduceOther(server, uriOf(editor.document));
  }
}

/** Let the user choose another failure of a file or folder, and reduce it. */
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

const REPORT = 'Open Report';
/** The button that lists the other failures. */
export const OTHERS = 'Reduce Another Failure…';
const COMPARE = 'Compare Files';

/** At the end of a reduction, say how it ended, with buttons for its report, other failures and files. */
export async function offerNext(server: WindowServer, progress: ProgressParams): Promise<void> {
  const message = endMessage(progress, nameOf(progress.uri));
  if (message === undefined) {
    return;
  }
  const next = nextSteps(server, progress);
  const chosen = await vscode.window.showInformationMessage(message, ...next.keys());
  await next.get(chosen ?? '')?.();
}

/** Return what can be done after a reduction, by the titles of the buttons. */
function nextSteps(
  server: WindowServer,
  { uri, reductions, others = [], companions = [] }: ProgressParams,
): Map<string, () => Promise<void>> {
  const steps = new Map<string, () => Promise<void>>();
  if (reductions > 0) {
    steps.set(REPORT, () => openReport(server, uri));
  }
  if (others.length > 0) {
    steps.set(OTHERS, () => reduceOther(server, uri));
  }
  if (companions.some(({ result }) => result !== null)) {
    steps.set(COMPARE, () => compareCompanions(companions));
  }
  return steps;
}
