/**
 * Which edits of the server belong to one undo step.
 *
 * An edit that is applied as `version` makes the version after it, and everything else that changes a
 * document, typing, an undo or another extension, makes a newer one. So an edit goes on with the step
 * of the last one exactly if it is meant for the version which that one made. No event has to be
 * watched for, hence none can come late.
 */
export class UndoGrouping {
  private readonly last = new Map<string, number>();

  /** Tell whether an edit for this version of a document begins an undo step of its own. */
  begins(uri: string, version: number): boolean {
    return this.last.get(uri) !== version;
  }

  /** An edit for this version of a document was applied, or was not: then the step is over. */
  applied(uri: string, version: number, success: boolean): void {
    if (success) {
      this.last.set(uri, version + 1);
    } else {
      this.last.delete(uri);
    }
  }

  /** What comes next, be it for the same text, belongs to another step. */
  end(uri: string): void {
    this.last.delete(uri);
  }
}
