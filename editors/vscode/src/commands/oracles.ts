/** *Check Oracle* and *Configure Oracle*. */

import * as vscode from 'vscode';

import { runCheck } from '../configure/oracleCheck.js';
import { configureOracle } from '../configure/flow.js';
import { report } from '../configure/runReport.js';
import type { HistoryContent } from '../history/content.js';
import type { WindowServer } from '../windowServer.js';
import { explain } from './obstacles.js';
import { chooseOracle } from './reduce.js';
import { documentOf, uriOf } from './targets.js';

/** Run an oracle on the active file; the server tells what came of it, the log has the output. */
export async function checkActive(
  session: WindowServer,
  content: HistoryContent,
  log: vscode.LogOutputChannel,
): Promise<void> {
  const editor = documentOf(vscode.window.activeTextEditor);
  const oracle = editor && (await chooseOracle(session, content, editor.document));
  if (editor && oracle !== undefined) {
    const checked = await runCheck(session, { uri: uriOf(editor.document), oracle });
    if (checked) {
      log.info(`Check of the oracle ${checked.oracle}:\n${report(checked)}`);
    }
  }
}

/** Configure one more oracle for the active file. */
export async function configureActive(
  session: WindowServer,
  content: HistoryContent,
): Promise<void> {
  const editor = documentOf(vscode.window.activeTextEditor);
  if (!editor) {
    return;
  }
  const { document } = editor;
  const offered = await session.execute('pollard.oracles', { uri: uriOf(document) });
  if (offered.reason === 'untrusted' || offered.reason === 'settings') {
    await explain(offered);
    return;
  }
  await configureOracle({ session, content, document, language: offered.language });
}
