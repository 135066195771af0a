/** The window's language server: found and started on first use, with events for its messages. */

import * as vscode from 'vscode';

import type { RunningServer, ServerListener, WorkDone } from './client/runningServer.js';
import { EditApplier } from './edits/applier.js';
import { messageOf } from './errors.js';
import {
  isOver,
  type CheckedParams,
  type ServerCommands,
  type HistoryFolder,
  type HistoryText,
  type ProgressParams,
} from './protocol.js';
import { isMissing } from './server/discovery.js';
import { locate, programSettings, processOptions } from './server/locating.js';
import { offerRemedy } from './server/remedies.js';

/** There is no server, and the user has seen the reason. */
export class NoServerError extends Error {}

/** Carries out a server command that a code action calls. */
export type CommandHandler = (name: string, argument: unknown) => Promise<unknown>;

export class WindowServer implements vscode.Disposable {
  private readonly progressed = new vscode.EventEmitter<ProgressParams>();
  private readonly wasChecked = new vscode.EventEmitter<CheckedParams>();
  private readonly began = new vscode.EventEmitter<void>();
  private readonly ended = new vscode.EventEmitter<void>();
  private readonly edits = new EditApplier();
  private link: Promise<RunningServer> | undefined;
  private isUp = false;
  private startedWith = '';
  private failedWith: string | undefined;

  readonly onProgress = this.progressed.event;
  readonly onChecked = this.wasChecked.event;
  /** The server has started, for the first time or again. */
  readonly onRunning = this.began.event;
  /** The server has ended, for any reason. */
  readonly onStopped = this.ended.event;
  /** Carries out the server's commands when code actions call them. */
  commandHandler: CommandHandler | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Whether a server runs; lets callers skip requests that are not worth starting one. */
  get running(): boolean {
    return this.isUp;
  }

  /** Whether the settings by which the server was found have changed since. */
  get outdated(): boolean {
    return this.link !== undefined && this.startedWith !== programSettings();
  }

  /** Whether the present settings have failed to start a server; the user has seen the reason. */
  get failed(): boolean {
    return this.failedWith === programSettings();
  }

  /**
   * Start the server unless it runs.
   *
   * If there is none or it does not start, shows the user the reason and rejects with
   * `NoServerError`.
   */
  async start(): Promise<RunningServer> {
    this.link ??= this.connect();
    try {
      const link = await this.link;
      this.failedWith = undefined;
      return link;
    } catch (error) {
      this.link = undefined;
      this.failedWith = this.startedWith;
      throw error;
    }
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    const link = this.link;
    this.link = undefined;
    await link?.then(
      (running) => running.stop(),
      () => undefined,
    );
  }

  /** Call a command of the server; starts it first if necessary. */
  async execute<Name extends keyof ServerCommands>(
    command: Name,
    argument: ServerCommands[Name][0],
    token?: string,
  ): Promise<ServerCommands[Name][1]> {
    const link = await this.start();
    return (await link.execute(command, argument, token)) as ServerCommands[Name][1];
  }

  /** Return the whole document as it was at one step of a reduction; 0 is the original. */
  async textOf(uri: string, record: string, number: number): Promise<string> {
    return ((await this.stepOf(uri, record, number)) as HistoryText).text;
  }

  /** Return the URI of a folder with the files as they were at one step; 0 is the original. */
  async filesOf(uri: string, record: string, number: number): Promise<string> {
    return ((await this.stepOf(uri, record, number)) as HistoryFolder).folder;
  }

  async onWorkDone(token: string, report: (value: WorkDone) => void): Promise<vscode.Disposable> {
    return (await this.start()).onProgress(token, report);
  }

  async cancel(token: string): Promise<void> {
    await (await this.start()).cancelProgress(token);
  }

  /** Tell a running server that the workspace is trusted now. */
  async trust(): Promise<void> {
    await (await this.link)?.trust(vscode.workspace.isTrusted);
  }

  dispose(): void {
    void this.stop();
  }

  private async stepOf(uri: string, record: string, number: number): Promise<unknown> {
    return (await this.start()).execute('pollard.history', { uri, record, number });
  }

  private async connect(): Promise<RunningServer> {
    this.startedWith = programSettings();
    const found = await locate(this.context);
    if (isMissing(found)) {
      void offerRemedy(found, this.context, this.log, () => this.restart());
      throw new NoServerError(`no server: ${found.reason} ${found.what}`);
    }
    this.log.info(
      `Starting Pollard ${found.version} of ${found.origin}:`,
      found.command,
      ...found.args,
    );
    const { connect } = await import('./client/languageClient.js');
    const { folder } = processOptions(this.context);
    const { log, edits } = this;
    try {
      return await connect({ launch: found, folder, log, edits, listener: this.listener() });
    } catch (error) {
      this.log.error('The server did not start:', messageOf(error));
      void this.complain('Pollard: the language server did not start; the log says why.');
      throw new NoServerError('the server did not start');
    }
  }

  private listener(): ServerListener {
    return {
      progress: (progress) => {
        this.progressed.fire(progress);
        if (isOver(progress.state)) {
          this.edits.end(vscode.Uri.parse(progress.uri));
        }
      },
      checked: (checked) => this.wasChecked.fire(checked),
      command: async (name, [argument]) => this.commandHandler?.(name, argument),
      running: () => {
        this.isUp = true;
        this.began.fire();
      },
      stopped: () => {
        this.isUp = false;
        this.ended.fire();
      },
      gaveUp: () => {
        this.link = undefined;
        void this.complain('Pollard: the language server ended five times in three minutes.');
      },
    };
  }

  private async complain(sentence: string): Promise<void> {
    const restart = 'Restart Server';
    const show = 'Show Log';
    const choice = await vscode.window.showErrorMessage(sentence, restart, show);
    if (choice === restart) {
      await vscode.commands.executeCommand('pollard.restartServer');
    } else if (choice === show) {
      this.log.show();
    }
  }
}
