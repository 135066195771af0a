/** *Reduce Selection* and *Reduce File*: from the command to a reduction that runs. */

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';

import { configureOracle } from '../configure/flow.js';
import type { HistoryContent } from '../history/content.js';
import type { OfferedOracle, Range, ReduceArguments } from '../protocol.js';
import { showProgress } from '../reductions/notification.js';
import type { WindowServer } from '../windowServer.js';
import { explain } from './obstacles.js';
import { documentOf, uriOf } from './targets.js';

/** Reduce the active editor's file; only what is selected if `selection`. */
export async function reduceActive(
  session: WindowServer,
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
  const oracle = await chooseOracle(session, content, document);
  if (oracle !== undefined) {
    await startReduction(session, { ...target, oracle });
  }
}

/** Start a reduction whose progress is shown with a Cancel button. */
export async function startReduction(
  session: WindowServer,
  target: ReduceArguments,
): Promise<unknown> {
  const token = randomUUID();
  const shown = await showProgress(session, token);
  try {
    return await session.execute('pollard.reduce', target, token);
  } catch (error) {
    shown.dispose();
    throw error;
  }
}

/** Return the oracle to be used; undefined if the user chose none, or was told why there is none. */
export async function chooseOracle(
  session: WindowServer,
  content: HistoryContent,
  document: vscode.TextDocument,
): Promise<string | undefined> {
  const offered = await session.execute('pollard.oracles', { uri: uriOf(document) });
  if (offered.reason === 'none') {
    return configureOracle({ session, content, document, language: offered.language });
  }
  if (offered.obstacle !== null) {
    await explain(offered);
    return undefined;
  }
  return pickOracle(offered.oracles);
}

/** Return the only oracle, or the one that the user picks; the server names the default first. */
async function pickOracle(oracles: readonly OfferedOracle[]): Promise<string | undefined> {
  if (oracles.length <= 1) {
    return oracles[0]?.name;
  }
  const items = oracles.map(({ name, command, isDefault, obstacle }) => ({
    label: name,
    description: [isDefault && 'default', obstacle && 'not allowed so far']
      .filter(Boolean)
      .join(', '),
    detail: command,
  }));
  const options = { title: 'With which oracle?', matchOnDetail: true };
  return (await vscode.window.showQuickPick(items, options))?.label;
}

function plain({ start, end }: vscode.Selection): Range {
  return {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
}
