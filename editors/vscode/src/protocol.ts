/** The messages between the extension and the server; Pollard's docs/server.md is the reference. */

import type { Answers, Criterion, Definition, Preset } from './presets.js';
import type { HistoryRecord, OtherFailure } from './records.js';

export type { Answers, Criterion, Definition, Preset, PresetQuestion } from './presets.js';
export type {
  HistoryFolder,
  HistoryRecord,
  HistoryStep,
  HistoryText,
  OtherFailure,
} from './records.js';

/** The oldest server that supports everything the extension asks of it. */
export const NEEDED_VERSION = '0.1.0';

/** Names of the notifications from the server, and of the one to it. */
export const PROGRESS = 'pollard/progress';
export const CHECKED = 'pollard/checked';
export const DID_CHANGE_TRUST = 'pollard/didChangeTrust';

export type ReductionState = 'checking' | 'reducing' | 'paused' | 'done' | 'stopped' | 'failed';

/** A file beside the document that was reduced after it; without a result, it is not needed. */
export interface Companion {
  readonly original: string;
  readonly result: string | null;
  readonly bytes: number;
  readonly originalBytes: number;
}

/** `pollard/progress`: sizes are bytes of UTF-8, times seconds. */
export interface ProgressParams {
  readonly id: string;
  readonly uri: string;
  readonly state: ReductionState;
  readonly bytes: number;
  readonly originalBytes: number;
  readonly runs: number;
  readonly rate: number;
  readonly guarded: number;
  readonly cacheHits: number;
  /** Older servers do not send `invalid` and `timeouts`. */
  readonly invalid?: number;
  readonly timeouts?: number;
  readonly reductions: number;
  readonly pass: string;
  readonly seconds: number;
  readonly message: string;
  /** At the end; older servers do not send these. */
  readonly failureChanged?: boolean;
  readonly comparison?: readonly string[];
  readonly others?: readonly OtherFailure[];
  readonly companions?: readonly Companion[];
  /** Of a folder: the files that are left, and at the end the URI of the new folder. */
  readonly files?: number | null;
  readonly result?: string | null;
}

/** One run of a check. */
export interface CheckedRun {
  readonly verdict: 'interesting' | 'uninteresting' | 'invalid' | 'timeout';
  readonly exitCode: number | null;
  readonly signal: number | null;
  readonly seconds: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
}

/** `pollard/checked`. */
export interface CheckedParams {
  readonly id: string;
  readonly uri: string;
  readonly oracle: string;
  readonly health: 'interesting' | 'not interesting' | 'flaky' | 'could not start';
  readonly interesting: boolean;
  readonly description: string;
  readonly runs: readonly CheckedRun[];
  readonly criteria?: readonly Criterion[];
}

/** An oracle that is offered for a document. */
export interface OfferedOracle {
  readonly name: string;
  readonly command: string;
  readonly isDefault: boolean;
  readonly obstacle: string | null;
}

/** The result of `pollard.oracles`. */
export interface Oracles {
  readonly language: string | null;
  readonly oracles: readonly OfferedOracle[];
  readonly obstacle: string | null;
  readonly reason: 'untrusted' | 'settings' | 'none' | null;
  readonly file: string | null;
}

/** The result of `pollard.configureOracle`. */
export interface Configured {
  readonly name: string;
  readonly uri: string;
  readonly text: string;
  readonly created: boolean;
}

export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface ReduceArguments {
  readonly uri: string;
  readonly range?: Range;
  readonly version?: number;
  readonly oracle?: string;
  readonly diagnostic?: string;
  readonly resume?: boolean;
  readonly main?: string;
}

export interface JobStarted {
  readonly id: string;
  readonly uri: string;
}

/** The commands of the server: their arguments and results. */
export interface ServerCommands {
  'pollard.reduce': [ReduceArguments, JobStarted];
  'pollard.reduceFolder': [ReduceArguments, JobStarted];
  'pollard.reduceOther': [
    { uri: string; record: string; number: number },
    { record: string | null; number: number | null; bytes: number | null },
  ];
  'pollard.report': [
    { uri: string; show: boolean },
    { record: string; uri: string; shown: boolean },
  ];
  'pollard.stop': [{ uri?: string; id?: string }, { ids: string[] }];
  'pollard.pause': [{ uri?: string; id?: string }, { ids: string[] }];
  'pollard.resume': [{ uri?: string; id?: string }, { ids: string[] }];
  'pollard.restore': [
    { uri: string; record?: string; number?: number },
    { record: string | null; number: number | null; bytes: number | null },
  ];
  'pollard.history': [{ uri: string; record?: string }, { records: HistoryRecord[] }];
  'pollard.oracles': [{ uri: string }, Oracles];
  'pollard.presets': [{ uri: string }, { presets: readonly Preset[] }];
  'pollard.checkOracle': [
    { uri: string; oracle?: string; preset?: string; answers?: Answers; checks?: number },
    JobStarted,
  ];
  'pollard.configureOracle': [{ uri: string; definition: Definition; name?: string }, Configured];
}

/** Return whether a state is final. */
export function isOver(state: ReductionState): boolean {
  return state === 'done' || state === 'stopped' || state === 'failed';
}
