/** The files beside a document that were reduced after it: each is compared with its result. */

import * as vscode from 'vscode';

import type { Companion } from '../protocol.js';

/** Show the files that the failure needs in one editor of differences. */
export async function compareCompanions(companions: readonly Companion[]): Promise<void> {
  const pairs = companions.flatMap(({ original, result }) =>
    result === null ? [] : [[vscode.Uri.parse(original), vscode.Uri.parse(result)] as const],
  );
  const rows = pairs.map(([original, result]) => [original, original, result]);
  await vscode.commands.executeCommand('vscode.changes', 'Reduced files', rows);
}
