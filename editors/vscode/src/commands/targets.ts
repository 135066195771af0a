/** The document that a command applies to. */

import * as vscode from 'vscode';

const NO_FILE = 'Pollard reduces files and untitled editors; open one first.';
const NO_CELLS =
  'Pollard cannot reduce a cell of a notebook; copy what you need from it into a file of its own.';

/** Return the editor if its document can be reduced; else tell the user which documents can. */
export function documentOf(editor: vscode.TextEditor | undefined): vscode.TextEditor | undefined {
  if (editor && isReducible(editor.document)) {
    return editor;
  }
  const isCell = editor?.document.uri.scheme === 'vscode-notebook-cell';
  void vscode.window.showInformationMessage(isCell ? NO_CELLS : NO_FILE);
  return undefined;
}

/** Return whether the server gets a document's text, so that it can be reduced. */
export function isReducible(document: vscode.TextDocument): boolean {
  return document.uri.scheme === 'file' || document.uri.scheme === 'untitled';
}

/** Return a document's URI in the form that the server uses. */
export function uriOf(document: vscode.TextDocument): string {
  return document.uri.toString();
}

/** Return the file name of a document's URI, for messages. */
export function nameOf(uri: string): string {
  const path = vscode.Uri.parse(uri).path;
  return path.slice(path.lastIndexOf('/') + 1);
}
