/** *Check Oracle*, *Configure Oracle*, and the choice of an oracle for other commands. */

import * as vscode from 'vscode';

import { runCheck } from '../configure/oracleCheck.js';
import { configureOracle } from '../configure/flow.js';
import { report } from '../configure/runReport.js';
import type { HistoryContent } from '../history/content.js';
import type { OfferedOracle, Oracles } from '../protocol.js';
import type { WindowServer } from '../windowServer.js';
import { documentOf, uriOf } from './targets.js';

/** Run an oracle on the active file. The server shows the outcome; the log gets the output. */
export async function checkActive(
  server: WindowServer,
  content: HistoryContent,
  log: vscode.LogOutputChannel,
): Promise<void> {
  const editor = documentOf(vscode.window.activeTextEditor);
  const oracle = editor && (await chooseOracle(server, content, editor.document));
  if (editor && oracle !== undefined) {
    const checked = await runCheck(server, { uri: uriOf(editor.document), oracle });
    if (checked) {
      log.info(`Check of the oracle ${checked.oracle}:\n${report(checked)}`);
    }
  }
}

/** Add an oracle for the active file to the settings. */
export async function configureActive(
  server: WindowServer,
  content: HistoryContent,
): Promise<void> {
  const editor = documentOf(vscode.window.activeTextEditor);
  if (!editor) {
    return;
  }
  const { document } = editor;
  const offered = await server.execute('pollard.oracles', { uri: uriOf(document) });
  if (offered.reason === 'untrusted' || offered.reason === 'settings') {
    await explain(offered);
    return;
  }
  await configureOracle({ server, content, document }, 'presets');
}

/** Return the oracle to use; undefined if the user chose none, or has seen why there is none. */
export async function chooseOracle(
  server: WindowServer,
  content: HistoryContent,
  document: vscode.TextDocument,
): Promise<string | undefined> {
  const offered = await server.execute('pollard.oracles', { uri: uriOf(document) });
  if (offered.reason === 'none') {
    return configureOracle({ server, content, document }, 'command');
  }
  if (offered.obstacle !== null) {
    await explain(offered);
    return undefined;
  }
  return pickOracle(offered.oracles);
}

/** Return the only oracle, or the one that the user picks; the server lists the default first. */
export async function pickOracle(oracles: readonly OfferedOracle[]): Promise<string | undefined> {
  if (oracles.length <= 1) {
    return oracles[0]?.name;
  }
  const items = oracles.map(({ name, command, isDefault, obstacle }) => ({
    label: name,
    description: [isDefault && 'default', obstacle && 'not allowed yet'].filter(Boolean).join(', '),
    detail: command,
  }));
  const options = { title: 'Choose an oracle', matchOnDetail: true };
  return (await vscode.window.showQuickPick(items, options))?.label;
}

/** Tell the user why nothing can be reduced, with a button that leads to the remedy. */
export async function explain({ obstacle, reason, file }: Oracles): Promise<void> {
  const message = obstacle ?? 'Pollard cannot reduce this file now.';
  if (reason === 'untrusted') {
    const manage = 'Manage Workspace Trust';
    if ((await vscode.window.showWarningMessage(message, manage)) === manage) {
      await vscode.commands.executeCommand('workbench.trust.manage');
    }
  } else if (reason === 'settings' && file !== null) {
    const open = 'Open Settings File';
    if ((await vscode.window.showErrorMessage(message, open)) === open) {
      await vscode.window.showTextDocument(vscode.Uri.parse(file));
    }
  } else {
    await vscode.window.showWarningMessage(message);
  }
}
