/** The item in the status bar: hidden while nothing goes on. */

import * as vscode from 'vscode';

import { nameOf, uriOf } from '../commands/targets.js';
import type { TrackedReduction, ReductionTracker } from '../reductions/tracker.js';
import { spokenText, statusText, tooltip } from './text.js';

/** A reduction that is over is shown for so many milliseconds, or until another file is active. */
const LINGER = 30_000;

export class StatusItem implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private timer: NodeJS.Timeout | undefined;
  private left = new Set<string>();
  private active: string | undefined;

  constructor(private readonly tracker: ReductionTracker) {
    this.item = vscode.window.createStatusBarItem('status', vscode.StatusBarAlignment.Left, 0);
    this.item.name = 'Pollard';
    this.item.command = 'pollard.showMenu';
  }

  /** Show what there is to be shown now. */
  update(): void {
    clearTimeout(this.timer);
    this.leave();
    const shown = this.shown();
    if (!shown) {
      this.item.hide();
      return;
    }
    this.draw(shown);
    if (shown.ended !== null) {
      this.timer = setTimeout(() => this.update(), shown.ended + LINGER - Date.now() + 50);
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.item.dispose();
  }

  /** Take note of the active file; the result of the one before has been seen. */
  private leave(): void {
    const editor = vscode.window.activeTextEditor;
    const active = editor && uriOf(editor.document);
    if (active === this.active) {
      return;
    }
    if (this.active !== undefined && this.tracker.of(this.active)?.ended != null) {
      this.left.add(this.active);
    }
    this.active = active;
  }

  /** The reduction of the active file, else any that goes on. */
  private shown(): TrackedReduction | undefined {
    const own = this.active === undefined ? undefined : this.tracker.of(this.active);
    if (own?.ended === null) {
      this.left.delete(own.progress.uri);
      return own;
    }
    const seen = own && this.left.has(own.progress.uri);
    const fresh = own?.ended != null && Date.now() - own.ended < LINGER;
    return own && fresh && !seen ? own : this.tracker.latestRunning;
  }

  private draw(tracked: TrackedReduction): void {
    const { progress } = tracked;
    const failed = progress.state === 'failed';
    this.item.text = statusText(progress);
    this.item.tooltip = new vscode.MarkdownString(tooltip(tracked, nameOf(progress.uri)));
    this.item.backgroundColor = failed
      ? new vscode.ThemeColor('statusBarItem.errorBackground')
      : undefined;
    this.item.accessibilityInformation = { label: spokenText(progress) };
    this.item.show();
  }
}
