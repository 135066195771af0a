/** Applies the server's edits to documents, so that all edits of one reduction are one undo step. */

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

  /** End the undo step: a later edit of the document begins a new one. */
  end(uri: vscode.Uri): void {
    this.grouping.end(uri.toString());
  }

  /**
   * Apply an edit through a visible editor of its document, or with `next` if there is none.
   *
   * `TextEditor.edit` compares the version again in the process that holds the text, so it cannot
   * overwrite anything typed meanwhile.
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
    // The first attempt fails if the user switches to another tab meanwhile.
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
