/** What the rest of the extension knows of the language client. */

import type * as vscode from 'vscode';

import type { CheckedParams, ProgressParams } from '../protocol.js';

/** A value of `$/progress`. */
export interface WorkDone {
  readonly kind: 'begin' | 'report' | 'end';
  readonly title?: string;
  readonly message?: string;
}

/** A running server. */
export interface RunningServer {
  /** Call a command of the server; `token` makes it report its progress to that token. */
  execute(command: string, argument: unknown, token?: string): Promise<unknown>;
  onProgress(token: string, report: (value: WorkDone) => void): vscode.Disposable;
  cancelProgress(token: string): Promise<void>;
  trust(trusted: boolean): Promise<void>;
  /** A URI as the server knows it. */
  toUri(uri: vscode.Uri): string;
  stop(): Promise<void>;
}

/** Who is told of what the server says and of what becomes of it. */
export interface ServerListener {
  progress(progress: ProgressParams): void;
  checked(checked: CheckedParams): void;
  /** A command of the server is called by a code action or by somebody else's extension. */
  command(name: string, args: readonly unknown[]): Promise<unknown>;
  running(): void;
  stopped(): void;
  /** It ended too often to be started once more. */
  gaveUp(): void;
}
