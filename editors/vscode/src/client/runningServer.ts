/** The interfaces through which the rest of the extension uses the language client. */

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
  /** Return a URI in the form that the server uses. */
  toUri(uri: vscode.Uri): string;
  stop(): Promise<void>;
}

/** Gets the server's messages and the changes of its state. */
export interface ServerListener {
  progress(progress: ProgressParams): void;
  checked(checked: CheckedParams): void;
  /** A code action or another extension calls a command of the server. */
  command(name: string, args: readonly unknown[]): Promise<unknown>;
  running(): void;
  stopped(): void;
  /** The server ended too often and is not started again. */
  gaveUp(): void;
}
