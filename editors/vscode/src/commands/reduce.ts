/** *Reduce Selection*, *Reduce File*, and the offer to continue after a crash of the server. */

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';

import type { HistoryContent } from '../history/content.js';
import type { ProgressParams, Range, ReduceArguments, ServerCommands } from '../protocol.js';
import { showProgress } from '../reductions/notification.js';
import type { WindowServer } from '../windowServer.js';
import { chooseOracle } from './oracles.js';
import { documentOf, nameOf, uriOf } from './targets.js';

const DIAGNOSTIC_PROMPT =
  'This must still be reported. … stands for any name, number or quoted text. ' +
  'Without the message, the code alone counts.';

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

/** Start the reduction of a code action. A diagnostic is shown first, and the user may edit it. */
export async function reduceAsChosen(
  server: WindowServer,
  target: ReduceArguments,
): Promise<unknown> {
  if (target.diagnostic === undefined) {
    return startReduction(server, target);
  }
  const diagnostic = await vscode.window.showInputBox({
    title: 'Reduce to this diagnostic',
    value: target.diagnostic,
    prompt: DIAGNOSTIC_PROMPT,
    ignoreFocusOut: true,
  });
  return diagnostic?.trim() ? startReduction(server, { ...target, diagnostic }) : undefined;
}

type Reducing = 'pollard.reduce' | 'pollard.reduceOther' | 'pollard.reduceFolder';

/** Call a command that starts a reduction, whose progress is shown with a Cancel button. */
export async function executeWithProgress<Name extends Reducing>(
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

/** Ask for each document or folder whether to continue its reduction, which was interrupted. */
export async function offerToContinue(
  server: WindowServer,
  interrupted: readonly ProgressParams[],
): Promise<void> {
  await Promise.all(interrupted.map((progress) => offer(server, progress)));
}

async function offer(server: WindowServer, { uri, files }: ProgressParams): Promise<void> {
  const choice = 'Continue';
  const message = `Pollard's server ended and was restarted, which interrupted the reduction of ${nameOf(uri)}.`;
  if ((await vscode.window.showWarningMessage(message, choice)) === choice) {
    const command = typeof files === 'number' ? 'pollard.reduceFolder' : 'pollard.reduce';
    await executeWithProgress(server, command, { uri, resume: true });
  }
}

function plain({ start, end }: vscode.Selection): Range {
  return {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
}
