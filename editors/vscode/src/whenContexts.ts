/** The `when` contexts of the active file, which decide which commands VS Code shows. */

import * as vscode from 'vscode';

import { isReducible, uriOf } from './commands/targets.js';
import { hasOthers } from './history/others.js';
import { isRestorable } from './history/steps.js';
import type { HistoryRecord } from './protocol.js';
import type { ReductionTracker } from './reductions/tracker.js';
import type { WindowServer } from './windowServer.js';

/** Whether a reduction of the active file is running. Unset, as before activation, means no. */
const BUSY = 'pollard.fileBusy';
/** Whether there are earlier texts of the active file. */
const RESTORABLE = 'pollard.fileHasHistory';
/** Whether reductions of the active file saw other failures. */
const HAS_OTHERS = 'pollard.fileHasOthers';

const MAX_TRIES = 20;
const RETRY_MS = 250;

export class WhenContexts {
  private readonly values = new Map<string, boolean>();
  private latestRequest = 0;

  constructor(
    private readonly server: WindowServer,
    private readonly tracker: ReductionTracker,
  ) {}

  /** Whether there are earlier texts of the active file, as far as is known. */
  get restorable(): boolean {
    return this.values.get(RESTORABLE) ?? false;
  }

  /** Whether reductions of the active file saw other failures, as far as is known. */
  get hasOthers(): boolean {
    return this.values.get(HAS_OTHERS) ?? false;
  }

  /** Update from the tracker alone, after the server has reported progress. */
  progressed(): void {
    const progress = this.activeUri && this.tracker.of(this.activeUri)?.progress;
    this.set(BUSY, Boolean(this.activeUri && this.tracker.running(this.activeUri)));
    if (progress && progress.reductions > 0) {
      this.set(RESTORABLE, true);
    }
  }

  /** Update from the tracker and the file's records, after a change of file or an end. */
  async refresh(): Promise<void> {
    this.set(BUSY, Boolean(this.activeUri && this.tracker.running(this.activeUri)));
    const uri = this.activeUri;
    const request = ++this.latestRequest;
    const records = uri !== undefined && this.server.running ? await this.records(uri) : [];
    if (request === this.latestRequest) {
      this.set(RESTORABLE, records.some(isRestorable));
      this.set(HAS_OTHERS, hasOthers(records));
    }
  }

  /** Ask for the records; retries, because a server that just started may not know the file yet. */
  private async records(uri: string): Promise<readonly HistoryRecord[]> {
    for (let tries = 0; tries < MAX_TRIES && this.server.running; tries++) {
      try {
        return (await this.server.execute('pollard.history', { uri })).records;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    return [];
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
