/** The document that a command is about. */

import * as vscode from 'vscode';

/** Return the editor if its document can be reduced; else tell the user what can. */
export function documentOf(editor: vscode.TextEditor | undefined): vscode.TextEditor | undefined {
  if (editor && isReducible(editor.document)) {
    return editor;
  }
  void vscode.window.showInformationMessage(
    'Pollard reduces files and untitled editors; open one of them first.',
  );
  return undefined;
}

/** Tell whether the server is told of a document. */
export function isReducible(document: vscode.TextDocument): boolean {
  return document.uri.scheme === 'file' || document.uri.scheme === 'untitled';
}

/** The URI of a document as the server knows it. */
export function uriOf(document: vscode.TextDocument): string {
  return document.uri.toString();
}

/** The name of a document for people. */
export function nameOf(uri: string): string {
  const path = vscode.Uri.parse(uri).path;
  return path.slice(path.lastIndexOf('/') + 1);
}
