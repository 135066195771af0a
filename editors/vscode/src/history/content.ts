/** Shows earlier texts of a file as read-only documents with the URI scheme `pollard`. */

import * as vscode from 'vscode';

import type { WindowServer } from '../windowServer.js';

export const SCHEME = 'pollard';

/** Identifies an earlier text of a file; `number` 0 is the original of the reduction `record`. */
export interface TextLocation {
  readonly uri: string;
  readonly record: string;
  readonly number: number;
}

/** Return the URI of an earlier text. It has the file's path, which decides the tab's name and icon. */
export function locationToUri(location: TextLocation): vscode.Uri {
  return vscode.Uri.from({
    scheme: SCHEME,
    path: vscode.Uri.parse(location.uri).path,
    query: JSON.stringify(location),
  });
}

/** Return the earlier text that a URI of the scheme identifies. */
export function uriToLocation(uri: vscode.Uri): TextLocation {
  return JSON.parse(uri.query) as TextLocation;
}

/** Provides the texts of the server's records, and outputs of commands. */
export class HistoryContent implements vscode.TextDocumentContentProvider {
  private readonly outputs = new Map<string, string>();

  constructor(private readonly server: WindowServer) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const output = this.outputs.get(uri.toString());
    if (output !== undefined) {
      return output;
    }
    const { uri: document, record, number } = uriToLocation(uri);
    return this.server.textOf(document, record, number);
  }

  /** Show a command's output beside the editor, in a tab called `name`. */
  async showOutput(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}`, query: String(Date.now()) });
    this.outputs.set(uri.toString(), text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: true,
    });
  }
}

/** Open an earlier text, in the language of its file. */
export async function openText(location: TextLocation): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(locationToUri(location));
  const file = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === location.uri);
  return file && file.languageId !== document.languageId
    ? vscode.languages.setTextDocumentLanguage(document, file.languageId)
    : document;
}
