/** After the server ended and was started again: offers to go on with the reductions that it took along. */

import * as vscode from 'vscode';

import { startReduction } from '../commands/reduce.js';
import { nameOf } from '../commands/targets.js';
import type { WindowServer } from '../windowServer.js';

/** Ask for each document whether its reduction shall go on. */
export async function offerToContinue(
  session: WindowServer,
  uris: readonly string[],
): Promise<void> {
  await Promise.all(uris.map((uri) => offer(session, uri)));
}

async function offer(session: WindowServer, uri: string): Promise<void> {
  const go = 'Continue';
  const message = `Pollard's server was started again; the reduction of ${nameOf(uri)} was interrupted.`;
  if ((await vscode.window.showWarningMessage(message, go)) === go) {
    await startReduction(session, { uri, resume: true });
  }
}
