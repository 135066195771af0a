/**
 * The language client. Only this module loads `vscode-languageclient`, and it is itself loaded only
 * when a server starts, so that activation stays fast.
 */

import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  ShowMessageRequest,
  State,
  WorkDoneProgress,
  WorkDoneProgressCancelNotification,
  type ErrorHandler,
  type LanguageClientOptions,
} from 'vscode-languageclient/node';

import type { EditApplier } from '../edits/applier.js';
import {
  CHECKED,
  DID_CHANGE_TRUST,
  PROGRESS,
  type CheckedParams,
  type ProgressParams,
} from '../protocol.js';
import type { LaunchCommand } from '../server/discovery.js';
import { answerAboutCandidates } from './candidates.js';
import { isHidden } from './hiddenDocuments.js';
import { ask } from './questions.js';
import { setValues } from './userSettings.js';
import type { ServerListener, RunningServer } from './runningServer.js';

/** A server that ends more often than this within `RESTART_WINDOW_MS` is not started again. */
const MAX_RESTARTS = 4;
const RESTART_WINDOW_MS = 180_000;
const NOT_CANCELLED = new vscode.CancellationTokenSource().token;

/** What `connect` needs. */
export interface ConnectionOptions {
  readonly launch: LaunchCommand;
  readonly folder: string;
  readonly log: vscode.LogOutputChannel;
  readonly edits: EditApplier;
  readonly listener: ServerListener;
}

/** Start the server; rejects if it cannot be started or does not answer. */
export async function connect(parts: ConnectionOptions): Promise<RunningServer> {
  const { command, args } = parts.launch;
  const options = { cwd: parts.folder };
  const client: LanguageClient = new LanguageClient(
    'pollard',
    'Pollard',
    { command, args: [...args], options },
    clientOptions(parts, () => client.isRunning()),
  );
  listen(client, parts.listener);
  answerAboutCandidates(client);
  await client.start();
  return link(client);
}

function clientOptions(
  { log, edits, listener }: ConnectionOptions,
  isRunning: () => boolean,
): LanguageClientOptions {
  return {
    documentSelector: [{ scheme: 'file' }, { scheme: 'untitled' }],
    outputChannel: log,
    initializationOptions: () => ({ trusted: vscode.workspace.isTrusted }),
    errorHandler: errorHandler(listener),
    stdioOptions: { stdout: copyLog, stderr: copyLog },
    middleware: {
      // Candidates about which the server asks are no documents that a user could reduce.
      didOpen: async (document, next) => (isHidden(document.uri) ? undefined : next(document)),
      didChange: async (event, next) => (isHidden(event.document.uri) ? undefined : next(event)),
      didClose: async (document, next) => (isHidden(document.uri) ? undefined : next(document)),
      executeCommand: (name, args: unknown[]) => listener.command(name, args),
      workspace: {
        configuration: ({ items }) =>
          items.map(({ scopeUri, section }) => settings(scopeUri, section)),
        // Sends no values, because those of `get` would include the defaults; the server then asks
        // for them. A change that restarts the server may arrive while no server runs.
        didChangeConfiguration: async (_sections, next) => {
          if (isRunning()) {
            await next(undefined);
          }
        },
        handleApplyEdit: (params, next) => edits.apply(params, (same) => next(same, NOT_CANCELLED)),
      },
    },
  };
}

function settings(scope: string | undefined, section: string | undefined): unknown {
  const uri = scope === undefined ? undefined : vscode.Uri.parse(scope);
  const configuration = vscode.workspace.getConfiguration(section, uri);
  return section === 'pollard' ? setValues(configuration) : null;
}

function listen(client: LanguageClient, listener: ServerListener): void {
  client.onNotification(PROGRESS, (progress: ProgressParams) => listener.progress(progress));
  client.onNotification(CHECKED, (checked: CheckedParams) => listener.checked(checked));
  client.onRequest(ShowMessageRequest.type, async (question) => {
    const answer = await ask(question);
    await settled(client);
    return answer;
  });
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Running) {
      listener.running();
    } else if (newState === State.Stopped) {
      listener.stopped();
    }
  });
}

/**
 * Wait until the server has received everything typed so far. The client sends answers at once but
 * queues notifications, so the answer to a question could otherwise overtake them.
 */
async function settled(client: LanguageClient): Promise<void> {
  const harmless = { command: 'pollard.status', arguments: [{}] };
  await client.sendRequest(ExecuteCommandRequest.type, harmless).catch(() => undefined);
}

function errorHandler(listener: ServerListener): ErrorHandler {
  let ends: number[] = [];
  return {
    error: (_error, _message, count) => ({
      action: count !== undefined && count <= 3 ? ErrorAction.Continue : ErrorAction.Shutdown,
      handled: true,
    }),
    closed: () => {
      const now = Date.now();
      ends = [...ends.filter((end) => now - end < RESTART_WINDOW_MS), now];
      if (ends.length <= MAX_RESTARTS) {
        return { action: CloseAction.Restart, handled: true };
      }
      listener.gaveUp();
      return { action: CloseAction.DoNotRestart, handled: true };
    },
  };
}

/** Write the lines of the server's log to the channel, each at its own level. */
function copyLog(input: NodeJS.ReadableStream, channel: vscode.LogOutputChannel): void {
  let rest = '';
  input.setEncoding('utf8');
  input.on('data', (text: string) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    lines.filter(Boolean).forEach((line) => writeLine(line, channel));
  });
}

function writeLine(line: string, channel: vscode.LogOutputChannel): void {
  if (/ (ERROR|CRITICAL) /.test(line)) {
    channel.error(line);
  } else if (line.includes(' WARNING ')) {
    channel.warn(line);
  } else {
    channel.info(line);
  }
}

function link(client: LanguageClient): RunningServer {
  return {
    execute: (command, argument, token) =>
      client.sendRequest(ExecuteCommandRequest.type, {
        command,
        arguments: [argument],
        ...(token === undefined ? {} : { workDoneToken: token }),
      }),
    onProgress: (token, report) =>
      client.onProgress(WorkDoneProgress.type, token, (value) => report(value)),
    cancelProgress: (token) =>
      client.sendNotification(WorkDoneProgressCancelNotification.type, { token }),
    trust: (trusted) => client.sendNotification(DID_CHANGE_TRUST, { trusted }),
    toUri: (uri) => client.code2ProtocolConverter.asUri(uri),
    stop: async () => {
      await client.dispose();
    },
  };
}
