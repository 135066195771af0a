/** The menu that a click on the status bar's item opens; it has only commands that apply. */

import type { ProgressParams } from '../protocol.js';

/** An entry: its label and the command that it calls. */
export interface MenuEntry {
  readonly label: string;
  readonly command: string;
}

/** What the active file's earlier reductions have left, as far as is known. */
export interface Left {
  /** Whether there are earlier texts. */
  readonly restorable: boolean;
  /** Whether other failures were seen. */
  readonly hasOthers: boolean;
}

/** Return the entries for the reduction with these figures, if there is one. */
export function menu(progress: ProgressParams | undefined, left: Left): MenuEntry[] {
  const entries = controls(progress?.state);
  const running = entries.length > 0;
  if (left.restorable) {
    entries.push(
      { label: '$(discard) Restore original', command: 'pollard.restoreOriginal' },
      { label: '$(history) Show reduction history', command: 'pollard.showHistory' },
    );
  }
  if (left.restorable && !running) {
    entries.push({ label: '$(graph-line) Open report', command: 'pollard.openReport' });
  }
  if (left.hasOthers && !running) {
    const command = 'pollard.reduceAnotherFailure';
    entries.push({ label: '$(bug) Reduce another failure…', command });
  }
  return [...entries, { label: '$(output) Show log', command: 'pollard.showLog' }];
}

/** Return the entries that control a running reduction. */
function controls(state: ProgressParams['state'] | undefined): MenuEntry[] {
  const stop = { label: '$(debug-stop) Stop', command: 'pollard.stopReduction' };
  if (state === 'reducing' || state === 'checking') {
    return [stop, { label: '$(debug-pause) Pause', command: 'pollard.pauseResume' }];
  }
  if (state === 'paused') {
    return [stop, { label: '$(debug-continue) Resume', command: 'pollard.pauseResume' }];
  }
  return [];
}
