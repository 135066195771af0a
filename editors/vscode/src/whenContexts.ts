/** The `when` contexts of the active file, by which commands are shown or not. */

import * as vscode from 'vscode';

import { isReducible, uriOf } from './commands/targets.js';
import { hasHistory } from './history/steps.js';
import type { ReductionTracker } from './reductions/tracker.js';
import type { WindowServer } from './windowServer.js';

/** A reduction of the active file goes on. Not set, as before activation, means no. */
const BUSY = 'pollard.fileBusy';
/** There are earlier texts of the active file. */
const RESTORABLE = 'pollard.fileHasHistory';

const MOST_TRIES = 20;
const RETRY_MS = 250;

export class WhenContexts {
  private readonly values = new Map<string, boolean>();
  private asked = 0;

  constructor(
    private readonly session: WindowServer,
    private readonly tracker: ReductionTracker,
  ) {}

  /** Whether there are earlier texts of the active file, as far as is known. */
  get restorable(): boolean {
    return this.values.get(RESTORABLE) ?? false;
  }

  /** A reduction was told of: a cheap look at what is known. */
  progressed(): void {
    const progress = this.activeUri && this.tracker.of(this.activeUri)?.progress;
    this.set(BUSY, Boolean(this.activeUri && this.tracker.running(this.activeUri)));
    if (progress && progress.reductions > 0) {
      this.set(RESTORABLE, true);
    }
  }

  /** Another file is active, or something has ended: look at its records, too. */
  async refresh(): Promise<void> {
    this.set(BUSY, Boolean(this.activeUri && this.tracker.running(this.activeUri)));
    const uri = this.activeUri;
    const asked = ++this.asked;
    const known = uri !== undefined && this.session.running && (await this.hasRecords(uri));
    if (asked === this.asked) {
      this.set(RESTORABLE, known);
    }
  }

  /** Ask for the records; a server that has just started may not have been told of the file yet. */
  private async hasRecords(uri: string): Promise<boolean> {
    for (let tries = 0; tries < MOST_TRIES && this.session.running; tries++) {
      try {
        return hasHistory((await this.session.execute('pollard.history', { uri })).records);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    return false;
  }

  private get activeUri(): string | undefined {
    const editor = vscode.window.activeTextEditor;
    return editor && isReducible(editor.document) ? uriOf(editor.document) : undefined;
  }

  private set(key: string, value: boolean): void {
    if (this.values.get(key) !== value) {
      this.values.set(key, value);
      void vscode.commands.executeCommand('setContext', key, value);
    }
  }
}
