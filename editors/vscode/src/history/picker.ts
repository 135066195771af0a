/** *Show Reduction History*: lists a file's reductions and their texts, and compares each text. */

import * as vscode from 'vscode';

import { documentOf, nameOf, uriOf } from '../commands/targets.js';
import type { HistoryRecord } from '../protocol.js';
import type { WindowServer } from '../windowServer.js';
import { formatSize } from '../status/units.js';
import { openText, uriToLocation, SCHEME, type TextLocation } from './content.js';
import { isRestorable, recordEntry, stepEntries } from './steps.js';

const RESTORE: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('discard'),
  tooltip: 'Restore this',
};

interface Item extends vscode.QuickPickItem {
  readonly record: HistoryRecord;
  readonly number: number;
}

/** Let the user choose a text of the active file, and show it. */
export async function showHistory(server: WindowServer): Promise<void> {
  const editor = documentOf(vscode.window.activeTextEditor);
  if (!editor) {
    return;
  }
  const uri = uriOf(editor.document);
  const { records } = await server.execute('pollard.history', { uri });
  const listed = records.filter(isRestorable);
  if (listed.length === 0) {
    void vscode.window.showInformationMessage(`${nameOf(uri)} has not been reduced yet.`);
    return;
  }
  const title = `Reductions of ${nameOf(uri)}`;
  const record = await pick(server, uri, title, listed.reverse().map(recordItem));
  if (record?.record.status === 'kept') {
    await showKept({ uri, record: record.record.id, number: 0 });
  } else if (record) {
    const sizes = record.label.replace(/^\$\(\S+\) /, ''); // a title shows no icons
    const step = await pick(server, uri, `${title}: ${sizes}`, stepItems(record.record));
    if (step) {
      await showDiff({ uri, record: step.record.id, number: step.number }, step.record);
    }
  }
}

/** Put the earlier text that the active diff shows back into its file. */
export async function restoreShown(server: WindowServer, shown?: vscode.Uri): Promise<void> {
  const uri = shown ?? vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme === SCHEME && uri.query.startsWith('{')) {
    const location = uriToLocation(uri);
    await vscode.window.showTextDocument(vscode.Uri.parse(location.uri));
    await server.execute('pollard.restore', { ...location });
  }
}

function recordItem(record: HistoryRecord): Item {
  const number = record.steps.at(-1)?.number ?? 0;
  return { ...recordEntry(record), record, number, buttons: [RESTORE] };
}

function stepItems(record: HistoryRecord): Item[] {
  return stepEntries(record).map((entry) => ({ ...entry, record, buttons: [RESTORE] }));
}

/** Return the chosen item; undefined if nothing was chosen or the restore button was pressed. */
function pick(
  server: WindowServer,
  uri: string,
  title: string,
  items: readonly Item[],
): Promise<Item | undefined> {
  const input = vscode.window.createQuickPick<Item>();
  Object.assign(input, { title, items, matchOnDescription: true, matchOnDetail: true });
  input.placeholder = 'Choose a text to compare with the original';
  return new Promise((resolve) => {
    input.onDidAccept(() => {
      resolve(input.selectedItems[0]);
      input.hide();
    });
    input.onDidTriggerItemButton(({ item: { record, number } }) => {
      input.hide();
      void server.execute('pollard.restore', { uri, record: record.id, number });
    });
    input.onDidHide(() => {
      resolve(undefined);
      input.dispose();
    });
    input.show();
  });
}

async function showDiff(location: TextLocation, record: HistoryRecord): Promise<void> {
  const original = await openText({ ...location, number: 0 });
  const text = await openText(location);
  const step = record.steps.find(({ number }) => number === location.number);
  const sizes = `${formatSize(record.originalBytes)} ↔ ${formatSize(step?.bytes ?? record.originalBytes)}`;
  const title = `${nameOf(location.uri)}: ${sizes}`;
  await vscode.commands.executeCommand('vscode.diff', original.uri, text.uri, title);
}

/** Compare the present text with the one that was kept before a restore. */
async function showKept(location: TextLocation): Promise<void> {
  const text = await openText(location);
  const title = `${nameOf(location.uri)}: now ↔ before the restore`;
  await vscode.commands.executeCommand(
    'vscode.diff',
    vscode.Uri.parse(location.uri),
    text.uri,
    title,
  );
}
