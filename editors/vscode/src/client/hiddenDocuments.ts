/**
 * Says what VS Code's own tools report about a candidate of a reduction.
 *
 * Each candidate is a new file in a temporary folder, so that a diagnostic of it cannot be about an
 * earlier one. It is opened as a document without an editor: a changed or untitled document would get
 * a tab, and most language servers only look at files.
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
const FOLDERS = path.join(tmpdir(), 'pollard-diagnose-');

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
  try {
    const uri = vscode.Uri.file(path.join(folder, params.name));
    await writeFile(uri.fsPath, params.text);
    const settled = watch(uri, params, token);
    await opened(uri, params.languageId);
    await settled;
    return { diagnostics: vscode.languages.getDiagnostics(uri).map(inProtocol) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
  { source, seconds }: DiagnoseParams,
  token: vscode.CancellationToken,
): Promise<void> {
  return new Promise((resolve) => {
    let settled: NodeJS.Timeout | undefined;
    const over = setTimeout(finish, seconds * 1000);
    const parts = [
      token.onCancellationRequested(finish),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (uris.some((each) => each.toString() === uri.toString()) && has(uri, source)) {
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
