/** Puts the server's edits into a document so that those of one reduction are one undo step. */

import * as vscode from 'vscode';
import type {
  ApplyWorkspaceEditParams,
  ApplyWorkspaceEditResult,
  TextEdit,
} from 'vscode-languageclient';

import { UndoGrouping } from './grouping.js';

type Next = (params: ApplyWorkspaceEditParams) => unknown;

/** One versioned edit of one document. */
interface VersionedEdit {
  readonly uri: string;
  readonly version: number;
  readonly edits: readonly TextEdit[];
}

export class EditApplier {
  private readonly grouping = new UndoGrouping();

  /** Let a later edit of the document be an undo step of its own. */
  end(uri: vscode.Uri): void {
    this.grouping.end(uri.toString());
  }

  /**
   * Apply an edit, or have it applied as usual if its document is in no visible editor.
   *
   * `TextEditor.edit` compares the version once more where the text is, so nothing that was typed
   * meanwhile can be overwritten.
   */
  async apply(params: ApplyWorkspaceEditParams, next: Next): Promise<ApplyWorkspaceEditResult> {
    const single = singleEdit(params);
    const editor = single && editorOf(single.uri);
    if (!single || !editor) {
      return (await next(params)) as ApplyWorkspaceEditResult;
    }
    if (editor.document.version !== single.version) {
      return { applied: false };
    }
    // An editor can go while the edit is on its way to it, since the user turns to another tab.
    const applied = (await this.edit(editor, single)) || hasApplied(await next(params));
    return { applied };
  }

  private async edit(
    editor: vscode.TextEditor,
    { edits, version }: VersionedEdit,
  ): Promise<boolean> {
    const uri = editor.document.uri.toString();
    const undoStopBefore = this.grouping.begins(uri, version);
    const applied = await editor
      .edit((builder) => edits.forEach((edit) => builder.replace(rangeOf(edit), edit.newText)), {
        undoStopBefore,
        undoStopAfter: false,
      })
      .then(undefined, () => false);
    this.grouping.applied(uri, version, applied);
    return applied;
  }
}

function hasApplied(result: unknown): boolean {
  return (result as ApplyWorkspaceEditResult).applied;
}

function singleEdit({ edit }: ApplyWorkspaceEditParams): VersionedEdit | null {
  const [change, ...others] = edit.documentChanges ?? [];
  if (!change || others.length > 0 || !('textDocument' in change)) {
    return null;
  }
  const { textDocument, edits } = change;
  const { uri, version } = textDocument;
  if (version === null || !edits.every((one): one is TextEdit => 'newText' in one)) {
    return null;
  }
  return { uri, version, edits };
}

function editorOf(uri: string): vscode.TextEditor | undefined {
  const wanted = vscode.Uri.parse(uri).toString();
  const shows = (editor: vscode.TextEditor): boolean => editor.document.uri.toString() === wanted;
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  return activeTextEditor && shows(activeTextEditor)
    ? activeTextEditor
    : visibleTextEditors.find(shows);
}

function rangeOf({ range: { start, end } }: TextEdit): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
