/** Earlier texts of a file as documents of the scheme `pollard`, which can be read but not changed. */

import * as vscode from 'vscode';

import type { WindowServer } from '../windowServer.js';

export const SCHEME = 'pollard';

/** Which text of which file: `number` 0 is the original of the reduction `record`. */
export interface TextLocation {
  readonly uri: string;
  readonly record: string;
  readonly number: number;
}

/** Return the URI of an earlier text; its path is the file's, so that tabs and icons are, too. */
export function placeToUri(place: TextLocation): vscode.Uri {
  return vscode.Uri.from({
    scheme: SCHEME,
    path: vscode.Uri.parse(place.uri).path,
    query: JSON.stringify(place),
  });
}

/** Return which text a URI of the scheme means. */
export function uriToPlace(uri: vscode.Uri): TextLocation {
  return JSON.parse(uri.query) as TextLocation;
}

/** Gives out texts of the server's records, and whatever output was put here to be read. */
export class HistoryContent implements vscode.TextDocumentContentProvider {
  private readonly outputs = new Map<string, string>();

  constructor(private readonly session: WindowServer) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const output = this.outputs.get(uri.toString());
    if (output !== undefined) {
      return output;
    }
    const { uri: document, record, number } = uriToPlace(uri);
    return this.session.textOf(document, record, number);
  }

  /** Show a text beside the editor; `name` is what its tab says. */
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

/** Open an earlier text with the language of the file that it is of. */
export async function openText(place: TextLocation): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(placeToUri(place));
  const file = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === place.uri);
  return file && file.languageId !== document.languageId
    ? vscode.languages.setTextDocumentLanguage(document, file.languageId)
    : document;
}
