/** Tracks the latest reduction of each document: its figures, and its size over time. */

import { isOver, type ProgressParams } from '../protocol.js';

/** A reported size in bytes, and when it was reported, in seconds since the reduction began. */
export interface SizePoint {
  readonly seconds: number;
  readonly bytes: number;
}

/** The latest reduction of one document. */
export interface TrackedReduction {
  readonly progress: ProgressParams;
  readonly points: readonly SizePoint[];
  /** When it ended (as `Date.now()`); null while it runs. */
  readonly ended: number | null;
}

export class ReductionTracker {
  private readonly byUri = new Map<string, TrackedReduction>();

  constructor(private readonly now: () => number = Date.now) {}

  /** Store the server's report. */
  update(progress: ProgressParams): void {
    const before = this.byUri.get(progress.uri);
    const points = before && isSameRound(before.progress, progress) ? [...before.points] : [];
    if (points.at(-1)?.bytes !== progress.bytes) {
      points.push({ seconds: progress.seconds, bytes: progress.bytes });
    }
    // Deleting first moves the entry to the end of the map: it was reported last.
    this.byUri.delete(progress.uri);
    const ended = isOver(progress.state) ? this.now() : null;
    this.byUri.set(progress.uri, { progress, points, ended });
  }

  of(uri: string): TrackedReduction | undefined {
    return this.byUri.get(uri);
  }

  /** Return the reduction of a document if it is running. */
  running(uri: string): ProgressParams | undefined {
    const tracked = this.byUri.get(uri);
    return tracked?.ended === null ? tracked.progress : undefined;
  }

  /** The running reduction that was reported last. */
  get latestRunning(): TrackedReduction | undefined {
    return [...this.byUri.values()].findLast(({ ended }) => ended === null);
  }

  /** Forget the running reductions, whose server is gone; return their last reports. */
  interrupt(): ProgressParams[] {
    const running = [...this.byUri.values()].filter(({ ended }) => ended === null);
    running.forEach(({ progress }) => this.byUri.delete(progress.uri));
    return running.map(({ progress }) => progress);
  }
}

/** Return whether both are of one round; after the answer *Continue* the figures start anew. */
function isSameRound(before: ProgressParams, after: ProgressParams): boolean {
  return before.id === after.id && before.seconds <= after.seconds;
}
