/** The menu that a click on the status bar's item opens; it has only commands that apply. */

import type { ProgressParams } from '../protocol.js';

/** An entry: its label and the command that it calls. */
export interface MenuEntry {
  readonly label: string;
  readonly command: string;
}

/** Return the entries for the reduction with these figures, if there is one. */
export function menu(progress: ProgressParams | undefined, restorable: boolean): MenuEntry[] {
  const entries: MenuEntry[] = [];
  const state = progress?.state;
  if (state === 'checking' || state === 'reducing' || state === 'paused') {
    entries.push({ label: '$(debug-stop) Stop', command: 'pollard.stopReduction' });
  }
  if (state === 'reducing' || state === 'checking') {
    entries.push({ label: '$(debug-pause) Pause', command: 'pollard.pauseResume' });
  } else if (state === 'paused') {
    entries.push({ label: '$(debug-continue) Resume', command: 'pollard.pauseResume' });
  }
  if (restorable) {
    entries.push(
      { label: '$(discard) Restore original', command: 'pollard.restoreOriginal' },
      { label: '$(history) Show reduction history', command: 'pollard.showHistory' },
    );
  }
  return [...entries, { label: '$(output) Show log', command: 'pollard.showLog' }];
}
