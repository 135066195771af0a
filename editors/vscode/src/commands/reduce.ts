/** *Reduce Selection*, *Reduce File*, and the offer to continue after a crash of the server. */

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';

import type { HistoryContent } from '../history/content.js';
import type { Range, ReduceArguments, ServerCommands } from '../protocol.js';
import { showProgress } from '../reductions/notification.js';
import type { WindowServer } from '../windowServer.js';
import { chooseOracle } from './oracles.js';
import { documentOf, nameOf, uriOf } from './targets.js';

/** Reduce the active editor's file; if `selection`, only the selected text. */
export async function reduceActive(
  server: WindowServer,
  content: HistoryContent,
  selection: boolean,
): Promise<void> {
  const editor = documentOf(vscode.window.activeTextEditor);
  if (!editor) {
    return;
  }
  const { document, selection: selected } = editor;
  const range = selection && !selected.isEmpty ? { range: plain(selected) } : {};
  const target = { uri: uriOf(document), version: document.version, ...range };
  const oracle = await chooseOracle(server, content, document);
  if (oracle !== undefined) {
    await startReduction(server, { ...target, oracle });
  }
}

/** Start a reduction whose progress is shown with a Cancel button. */
export function startReduction(server: WindowServer, target: ReduceArguments): Promise<unknown> {
  return executeWithProgress(server, 'pollard.reduce', target);
}

/** Call a command that starts a reduction, whose progress is shown with a Cancel button. */
export async function executeWithProgress<Name extends 'pollard.reduce' | 'pollard.reduceOther'>(
  server: WindowServer,
  command: Name,
  argument: ServerCommands[Name][0],
): Promise<unknown> {
  const token = randomUUID();
  const notification = await showProgress(server, token);
  try {
    return await server.execute(command, argument, token);
  } catch (error) {
    notification.dispose();
    throw error;
  }
}

/** Ask for each document whether to continue its reduction, which the server's end interrupted. */
export async function offerToContinue(
  server: WindowServer,
  uris: readonly string[],
): Promise<void> {
  await Promise.all(uris.map((uri) => offer(server, uri)));
}

async function offer(server: WindowServer, uri: string): Promise<void> {
  const choice = 'Continue';
  const message = `Pollard's server ended and was restarted, which interrupted the reduction of ${nameOf(uri)}.`;
  if ((await vscode.window.showWarningMessage(message, choice)) === choice) {
    await startReduction(server, { uri, resume: true });
  }
}

function plain({ start, end }: vscode.Selection): Range {
  return {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
}
