/** The part of the messages that is about what reductions left on disk. */

/** A failure of another kind that candidates showed, and the size of its smallest text. */
export interface OtherFailure {
  readonly number: number;
  readonly description: string;
  readonly bytes: number;
  readonly runs: number;
}

/** A step of a record: an accepted text. */
export interface HistoryStep {
  readonly number: number;
  readonly bytes: number;
  readonly runs: number;
  readonly seconds: number;
  readonly pass: string;
}

/** A reduction that is on disk. */
export interface HistoryRecord {
  readonly id: string;
  readonly status: 'running' | 'finished' | 'stopped' | 'failed' | 'interrupted' | 'kept';
  readonly started: string;
  readonly oracle: string;
  readonly strategy: string;
  readonly continues: string | null;
  readonly language: string | null;
  readonly region: readonly [number, number] | null;
  readonly originalBytes: number;
  readonly bytes: number;
  readonly runs: number;
  readonly seconds: number;
  readonly steps: readonly HistoryStep[];
  /** Older servers do not send it. */
  readonly others?: readonly OtherFailure[];
}

/** The result of `pollard.history` for a single text. */
export interface HistoryText {
  readonly text: string;
}

/** The result of `pollard.history` for the files of a folder at one step. */
export interface HistoryFolder {
  readonly folder: string;
}
