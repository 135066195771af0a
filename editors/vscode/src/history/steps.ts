/** The entries that list a file's reductions and their texts: pure functions. */

import type { HistoryRecord, HistoryStep } from '../protocol.js';
import { count, formatDuration, formatSize } from '../status/units.js';

/** A step is listed if it is at least this fraction smaller than the one listed before. */
const MIN_SHRINKAGE = 0.1;

/** Return the steps to list: each at least a tenth smaller than the one before, and the last. */
export function thinned(originalBytes: number, steps: readonly HistoryStep[]): HistoryStep[] {
  const listed: HistoryStep[] = [];
  let size = originalBytes;
  for (const step of steps) {
    if (step.bytes <= size * (1 - MIN_SHRINKAGE)) {
      listed.push(step);
      size = step.bytes;
    }
  }
  const last = steps.at(-1);
  if (last && listed.at(-1) !== last) {
    listed.push(last);
  }
  return listed;
}

/** An entry of a list, with the fields of `vscode.QuickPickItem`. */
export interface ListEntry {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** Return the entry of a reduction. */
export function recordEntry(record: HistoryRecord): ListEntry {
  const { originalBytes, bytes, runs, seconds, oracle, strategy, steps } = record;
  const began = new Date(record.started).toLocaleString();
  if (record.status === 'kept') {
    return {
      label: `$(save) ${formatSize(originalBytes)}`,
      description: began,
      detail: 'Your text before you restored another one',
    };
  }
  const parts = [
    record.status,
    count(runs, 'run'),
    formatDuration(seconds),
    steps.at(-1)?.pass,
    oracle && `oracle ${oracle}`,
    strategy && `strategy ${strategy}`,
  ];
  return {
    label: `${icon(record)} ${formatSize(originalBytes)} → ${formatSize(bytes)}`,
    description: began,
    detail: parts.filter(Boolean).join(' · '),
  };
}

/** Return the entry of a step; `newest` if it is the last and therefore smallest. */
export function stepEntry(step: HistoryStep, newest: boolean): ListEntry {
  return {
    label: formatSize(step.bytes),
    description: newest ? 'the smallest' : '',
    detail: [step.pass, count(step.runs, 'run'), formatDuration(step.seconds)]
      .filter(Boolean)
      .join(' · '),
  };
}

/** Return the entries of a reduction's steps, the smallest first, and of the original. */
export function stepEntries(record: HistoryRecord): (ListEntry & { readonly number: number })[] {
  const last = record.steps.at(-1);
  const steps = thinned(record.originalBytes, record.steps).map((step) => ({
    ...stepEntry(step, step === last),
    number: step.number,
  }));
  const original = { description: 'the original', detail: '', number: 0 };
  return [...steps.reverse(), { ...original, label: formatSize(record.originalBytes) }];
}

/**
 * Return whether a record has a text to restore.
 *
 * That of a reduction which only saw other failures has its original: one of them may have been
 * put into the editor since.
 */
export function isRestorable({ status, steps, others = [] }: HistoryRecord): boolean {
  return status === 'kept' || steps.length > 0 || others.length > 0;
}

function icon({ status }: HistoryRecord): string {
  switch (status) {
    case 'running':
      return '$(sync)';
    case 'finished':
      return '$(check)';
    case 'failed':
      return '$(error)';
    default:
      return '$(debug-stop)';
  }
}
