/**
 * Says what VS Code's own tools report about a candidate of a reduction.
 *
 * Each candidate is a new file in a temporary folder, so that a diagnostic of it cannot be about an
 * earlier one. It is opened as a document without an editor: a changed or untitled document would be
 * shown, and most language servers only look at files.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';

import type { Range } from '../protocol.js';

/** `pollard/diagnose`: a candidate whose diagnostics are asked for; `source` has no blanks. */
export interface DiagnoseParams {
  readonly uri: string;
  readonly name: string;
  readonly languageId: string;
  readonly text: string;
  readonly source: string;
  readonly seconds: number;
}

export interface DiagnoseAnswer {
  readonly diagnostics: readonly ProtocolDiagnostic[];
}

/** A diagnostic of the protocol; severities are 1 to 4. */
export interface ProtocolDiagnostic {
  readonly source?: string;
  readonly code?: string | number;
  readonly message: string;
  readonly severity: number;
  readonly range: Range;
}

/** Diagnostics that have not changed for so long are those of the whole candidate. */
const SETTLE_MS = 50;
/** The wait without a tab, as long as it is unknown whether the tools of a source need one. */
const HIDDEN_SECONDS = 3;
const FOLDERS = path.join(tmpdir(), 'pollard-diagnose-');

/** Whether the tools of a source report only about documents that have a tab. */
const needTabs = new Map<string, boolean>();

/** Return whether a document is a candidate. */
export function isHidden({ scheme, fsPath }: vscode.Uri): boolean {
  return scheme === 'file' && fsPath.startsWith(FOLDERS);
}

/** Return the diagnostics of a candidate, once there are some of the source or the time is over. */
export async function diagnose(
  params: DiagnoseParams,
  token: vscode.CancellationToken,
): Promise<DiagnoseAnswer> {
  const folder = await mkdtemp(FOLDERS);
  const uri = vscode.Uri.file(path.join(folder, params.name));
  try {
    await writeFile(uri.fsPath, params.text);
    await waitForTools(uri, params, token);
    return { diagnostics: vscode.languages.getDiagnostics(uri).map(inProtocol) };
  } finally {
    await vscode.window.tabGroups.close(tabsOf(uri), true);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Open a candidate without a tab; if that does not help, with one behind the others. */
async function waitForTools(
  uri: vscode.Uri,
  params: DiagnoseParams,
  token: vscode.CancellationToken,
): Promise<void> {
  const { source, seconds, languageId } = params;
  const known = needTabs.get(source);
  if (known === true) {
    await openTab(uri);
  }
  const hidden = known === undefined ? Math.min(HIDDEN_SECONDS, seconds) : seconds;
  const settled = watch(uri, source, hidden, token);
  await opened(uri, languageId);
  await settled;
  if (known === undefined && !has(uri, source) && seconds > hidden) {
    const late = watch(uri, source, seconds - hidden, token);
    await openTab(uri);
    await late;
  }
  if (known === undefined && has(uri, source)) {
    needTabs.set(source, tabsOf(uri).length > 0);
  }
}

/** Open a tab that is not shown. Many language servers are asked only about documents in tabs. */
async function openTab(uri: vscode.Uri): Promise<void> {
  const options = { background: true, preview: false, preserveFocus: true };
  await vscode.commands.executeCommand('vscode.open', uri, options);
}

function tabsOf(uri: vscode.Uri): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputText && same(input.uri, uri));
}

function same(one: vscode.Uri, other: vscode.Uri): boolean {
  return one.toString() === other.toString();
}

async function opened(uri: vscode.Uri, languageId: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.languageId !== languageId) {
    await vscode.languages.setTextDocumentLanguage(document, languageId);
  }
}

/** Wait for diagnostics of the source, for the end of the time, or until nobody waits for the answer. */
function watch(
  uri: vscode.Uri,
  source: string,
  seconds: number,
  token: vscode.CancellationToken,
): Promise<void> {
  return new Promise((resolve) => {
    let settled: NodeJS.Timeout | undefined;
    const over = setTimeout(finish, seconds * 1000);
    const parts = [
      token.onCancellationRequested(finish),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (uris.some((each) => same(each, uri)) && has(uri, source)) {
          clearTimeout(settled);
          settled = setTimeout(finish, SETTLE_MS);
        }
      }),
    ];
    function finish(): void {
      clearTimeout(over);
      clearTimeout(settled);
      parts.forEach((part) => void part.dispose());
      resolve();
    }
  });
}

function has(uri: vscode.Uri, source: string): boolean {
  const found = vscode.languages.getDiagnostics(uri);
  return found.some((each) => (each.source ?? '').replace(/\s/g, '') === source);
}

function inProtocol({
  source,
  code,
  message,
  severity,
  range,
}: vscode.Diagnostic): ProtocolDiagnostic {
  const { start, end } = range;
  return {
    ...(source === undefined ? {} : { source }),
    ...(code === undefined ? {} : { code: typeof code === 'object' ? code.value : code }),
    message,
    severity: severity + 1,
    range: {
      start: { line: start.line, character: start.character },
      end: { line: end.line, character: end.character },
    },
  };
}
