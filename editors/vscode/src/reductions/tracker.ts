/** How each reduction of this session stands, and what sizes it went through. */

import { isOver, type ProgressParams } from '../protocol.js';

/** A size that was told of, in bytes, at so many seconds from the beginning. */
export interface SizePoint {
  readonly seconds: number;
  readonly bytes: number;
}

/** What is known of the latest reduction of one document. */
export interface TrackedReduction {
  readonly progress: ProgressParams;
  readonly points: readonly SizePoint[];
  /** When it ended, in milliseconds as of `Date.now`; null while it goes on. */
  readonly ended: number | null;
}

export class ReductionTracker {
  private readonly byUri = new Map<string, TrackedReduction>();

  constructor(private readonly now: () => number = Date.now) {}

  /** Take note of what the server told. */
  update(progress: ProgressParams): void {
    const before = this.byUri.get(progress.uri);
    const points = before && goesOn(before.progress, progress) ? [...before.points] : [];
    if (points.at(-1)?.bytes !== progress.bytes) {
      points.push({ seconds: progress.seconds, bytes: progress.bytes });
    }
    // Deleted first, so that the map ends with the one that was told of last.
    this.byUri.delete(progress.uri);
    const ended = isOver(progress.state) ? this.now() : null;
    this.byUri.set(progress.uri, { progress, points, ended });
  }

  of(uri: string): TrackedReduction | undefined {
    return this.byUri.get(uri);
  }

  /** The reduction of a document if it goes on. */
  running(uri: string): ProgressParams | undefined {
    const tracked = this.byUri.get(uri);
    return tracked?.ended === null ? tracked.progress : undefined;
  }

  /** The reduction that was told of last of those that go on. */
  get latestRunning(): TrackedReduction | undefined {
    return [...this.byUri.values()].findLast(({ ended }) => ended === null);
  }

  /** Forget the reductions that went on, since their server is gone; return their documents. */
  interrupt(): string[] {
    const uris = [...this.byUri].filter(([, { ended }]) => ended === null).map(([uri]) => uri);
    uris.forEach((uri) => this.byUri.delete(uri));
    return uris;
  }
}

/** Tell whether it is the same reduction; after *Keep reducing from here* its figures begin anew. */
function goesOn(before: ProgressParams, after: ProgressParams): boolean {
  return before.id === after.id && before.seconds <= after.seconds;
}
