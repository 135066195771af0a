/** The entries that list the other failures that a file's reductions saw: pure functions. */

import type { HistoryRecord, ProgressParams } from '../protocol.js';
import { count, formatSize } from '../status/units.js';
import type { ListEntry } from './steps.js';

/** An entry, and which failure of which reduction it stands for. */
export interface OtherEntry extends ListEntry {
  readonly record: string;
  readonly number: number;
}

/** Return an entry for each failure; of those with the same description only the newest. */
export function otherEntries(records: readonly HistoryRecord[]): OtherEntry[] {
  const entries = new Map<string, OtherEntry>();
  for (const record of records.toReversed()) {
    for (const { number, description, bytes, runs } of record.others ?? []) {
      if (!entries.has(description)) {
        const began = new Date(record.started).toLocaleString();
        entries.set(description, {
          record: record.id,
          number,
          label: description,
          description: formatSize(bytes),
          detail: `seen in ${count(runs, 'run')} of the reduction of ${began}`,
        });
      }
    }
  }
  return [...entries.values()];
}

/** Return whether a reduction of the file saw other failures. */
export function hasOthers(records: readonly HistoryRecord[]): boolean {
  return records.some(({ others }) => others !== undefined && others.length > 0);
}

/** Return the message at the end of a reduction after which there is something to do. */
export function endMessage(
  { state, message, others, companions, reductions }: ProgressParams,
  name: string,
): string | undefined {
  const sawOthers = (state === 'done' || state === 'stopped') && others && others.length > 0;
  const found = state === 'done' && (reductions > 0 || (companions?.length ?? 0) > 0);
  return sawOthers || found ? `${name}: ${message}.` : undefined;
}
