/** *Open Report*: a page about a file's latest reduction, in the browser or in a tab. */

import * as vscode from 'vscode';

import type { WindowServer } from '../windowServer.js';
import { documentOf, nameOf, uriOf } from './targets.js';

/** Open the report on the latest reduction of the active file. */
export async function openReportActive(server: WindowServer): Promise<void> {
  const editor = documentOf(vscode.window.activeTextEditor);
  if (editor) {
    await openReport(server, uriOf(editor.document));
  }
}

/**
 * Open the report on the latest reduction of a file.
 *
 * The server has VS Code open it in the browser. In a remote window the page is on another machine
 * than the browser, so a tab shows it.
 */
export async function openReport(server: WindowServer, uri: string): Promise<void> {
  const remote = vscode.env.remoteName !== undefined;
  const written = await server.execute('pollard.report', { uri, show: !remote });
  if (remote) {
    await showInTab(vscode.Uri.parse(written.uri), `Report: ${nameOf(uri)}`);
  }
}

async function showInTab(page: vscode.Uri, title: string): Promise<void> {
  const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(page));
  const options = { enableScripts: true, enableFindWidget: true, localResourceRoots: [] };
  const column = vscode.ViewColumn.Beside;
  const tab = vscode.window.createWebviewPanel('pollard.report', title, column, options);
  tab.webview.html = content;
}
