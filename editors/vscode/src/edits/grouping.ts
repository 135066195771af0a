/**
 * Decides which edits of the server belong to one undo step.
 *
 * An edit applied to version N makes version N + 1. Any other change (typing, undo, another
 * extension) makes a newer version. So an edit continues the previous edit's step exactly if it
 * applies to the version that the previous edit made. This needs no events, which could arrive late.
 */
export class UndoGrouping {
  private readonly versionAfterEdit = new Map<string, number>();

  /** Return whether an edit for this version of a document begins a new undo step. */
  begins(uri: string, version: number): boolean {
    return this.versionAfterEdit.get(uri) !== version;
  }

  /** Note whether an edit for this version of a document was applied; a failure ends the step. */
  applied(uri: string, version: number, success: boolean): void {
    if (success) {
      this.versionAfterEdit.set(uri, version + 1);
    } else {
      this.versionAfterEdit.delete(uri);
    }
  }

  /** End the document's undo step: the next edit begins a new one, even for the same text. */
  end(uri: string): void {
    this.versionAfterEdit.delete(uri);
  }
}
