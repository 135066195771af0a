/** The item in the status bar, which is hidden while there is nothing to show. */

import * as vscode from 'vscode';

import { nameOf, uriOf } from '../commands/targets.js';
import type { TrackedReduction, ReductionTracker } from '../reductions/tracker.js';
import { spokenText, statusText, tooltip } from './text.js';

/** A finished reduction is shown for this long, or until another file is active. */
const SHOWN_AFTER_END_MS = 30_000;

export class StatusItem implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private timer: NodeJS.Timeout | undefined;
  /** Documents that the user has left after their reduction had ended. */
  private seen = new Set<string>();
  private active: string | undefined;

  constructor(private readonly tracker: ReductionTracker) {
    this.item = vscode.window.createStatusBarItem('status', vscode.StatusBarAlignment.Left, 0);
    this.item.name = 'Pollard';
    this.item.command = 'pollard.showMenu';
  }

  /** Draw the item for the present state, or hide it. */
  update(): void {
    clearTimeout(this.timer);
    this.updateActiveFile();
    const shown = this.shown();
    if (!shown) {
      this.item.hide();
      return;
    }
    this.draw(shown);
    if (shown.ended !== null) {
      this.timer = setTimeout(
        () => this.update(),
        shown.ended + SHOWN_AFTER_END_MS - Date.now() + 50,
      );
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.item.dispose();
  }

  /** Remember the active file; a finished reduction of the previous one counts as seen. */
  private updateActiveFile(): void {
    const editor = vscode.window.activeTextEditor;
    const active = editor && uriOf(editor.document);
    if (active === this.active) {
      return;
    }
    if (this.active !== undefined && this.tracker.of(this.active)?.ended != null) {
      this.seen.add(this.active);
    }
    this.active = active;
  }

  /** Return the active file's reduction if it runs or has just ended, else any running one. */
  private shown(): TrackedReduction | undefined {
    const own = this.active === undefined ? undefined : this.tracker.of(this.active);
    if (own?.ended === null) {
      this.seen.delete(own.progress.uri);
      return own;
    }
    const seen = own && this.seen.has(own.progress.uri);
    const fresh = own?.ended != null && Date.now() - own.ended < SHOWN_AFTER_END_MS;
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
