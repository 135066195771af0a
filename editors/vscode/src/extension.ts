/** Pollard in VS Code: what is set up when the extension is activated. */

import * as vscode from 'vscode';

import { meant, pauseOrResume, restoreOriginal, stop } from './commands/running.js';
import { checkActive, configureActive } from './commands/oracles.js';
import { reduceActive, startReduction } from './commands/reduce.js';
import { WhenContexts } from './whenContexts.js';
import { HistoryContent, SCHEME } from './history/content.js';
import { restoreShown, showHistory } from './history/picker.js';
import { isOver, type ServerCommands, type ReduceArguments } from './protocol.js';
import { offerToContinue } from './reductions/interrupted.js';
import { ReductionTracker } from './reductions/tracker.js';
import { NoServerError, WindowServer } from './windowServer.js';
import { StatusItem } from './status/item.js';
import { menu } from './status/menu.js';
import { usesPollard, watchForSettings } from './workspace.js';

let session: WindowServer | undefined;

/** The extension's parts. */
interface Components {
  readonly log: vscode.LogOutputChannel;
  readonly session: WindowServer;
  readonly content: HistoryContent;
  readonly tracker: ReductionTracker;
  readonly item: StatusItem;
  readonly contexts: WhenContexts;
}

/** Called by VS Code; does as little as it can, the server is looked for afterwards. */
export function activate(context: vscode.ExtensionContext): void {
  const began = performance.now();
  const log = vscode.window.createOutputChannel('Pollard', { log: true });
  session = new WindowServer(context, log);
  const tracker = new ReductionTracker();
  const parts = {
    log,
    session,
    tracker,
    content: new HistoryContent(session),
    item: new StatusItem(tracker),
    contexts: new WhenContexts(session, tracker),
  };
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, parts.content);
  context.subscriptions.push(log, session, parts.item, provider);
  context.subscriptions.push(...commands(parts), ...listeners(parts));
  setTimeout(() => void startIfUsed(parts), 0);
  log.info(`Activated in ${Math.round(performance.now() - began)} ms`);
}

/** Called by VS Code; the server is given the time to end its oracles. */
export async function deactivate(): Promise<void> {
  await session?.stop();
}

function commands(parts: Components): vscode.Disposable[] {
  const { session: server, content, tracker, log } = parts;
  const all: Record<string, (...args: never[]) => unknown> = {
    'pollard.reduceSelection': () => reduceActive(server, content, true),
    'pollard.reduceFile': () => reduceActive(server, content, false),
    'pollard.stopReduction': () => stop(server, tracker),
    'pollard.pauseResume': () => pauseOrResume(server, tracker),
    'pollard.restoreOriginal': () => restoreOriginal(server),
    'pollard.showHistory': () => showHistory(server),
    'pollard.restoreThis': (uri?: vscode.Uri) => restoreShown(server, uri),
    'pollard.checkThisOracle': () => checkActive(server, content, log),
    'pollard.configureThisOracle': () => configureActive(server, content),
    'pollard.restartServer': () => server.restart(),
    'pollard.showLog': () => log.show(),
    'pollard.showMenu': () => showMenu(parts),
  };
  server.commandTaker = told(log, (name, argument) =>
    name === 'pollard.reduce'
      ? startReduction(server, argument as ReduceArguments)
      : server.execute(name as keyof ServerCommands, argument as never),
  );
  return Object.entries(all).map(([id, call]) =>
    vscode.commands.registerCommand(id, told(log, call as (...args: unknown[]) => unknown)),
  );
}

/** Return a function that shows the user why it failed, unless that was done already. */
function told<T extends unknown[]>(
  log: vscode.LogOutputChannel,
  call: (...args: T) => unknown,
): (...args: T) => Promise<unknown> {
  return async (...args) => {
    try {
      return await call(...args);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      log.error(message);
      if (!(error instanceof NoServerError)) {
        void vscode.window.showErrorMessage(`Pollard: ${message}`);
      }
      return undefined;
    }
  };
}

function listeners(parts: Components): vscode.Disposable[] {
  const { session: server, tracker, item, contexts, log } = parts;
  let interrupted: string[] = [];
  return [
    server.onProgress((progress) => {
      tracker.update(progress);
      item.update();
      contexts.progressed();
      if (isOver(progress.state)) {
        void contexts.refresh();
      }
    }),
    server.onStopped(() => {
      interrupted.push(...tracker.interrupt());
      item.update();
      void contexts.refresh();
    }),
    server.onRunning(() => {
      const uris = interrupted;
      interrupted = [];
      void contexts.refresh();
      void told(log, () => offerToContinue(server, uris))();
    }),
    vscode.window.onDidChangeActiveTextEditor(() => {
      item.update();
      void contexts.refresh();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void server.trust()),
    vscode.workspace.onDidChangeConfiguration((change) => void reconfigured(parts, change)),
    watchForSettings(() => void startQuietly(parts)),
  ];
}

async function reconfigured(
  parts: Components,
  change: vscode.ConfigurationChangeEvent,
): Promise<void> {
  if (parts.session.outdated) {
    await told(parts.log, () => parts.session.restart())();
  } else if (change.affectsConfiguration('pollard.oracles')) {
    await startIfUsed(parts);
  }
}

async function startIfUsed(parts: Components): Promise<void> {
  if (await usesPollard()) {
    await startQuietly(parts);
  }
}

/**
 * Start the server, for which nobody asked; if that fails the user has been told.
 *
 * What failed once is tried again when the user asks for it, so that nobody is told twice at once.
 */
async function startQuietly({ session: server, log }: Components): Promise<void> {
  if (server.failed) {
    return;
  }
  await server.start().catch((error: unknown) => log.warn(String(error)));
}

async function showMenu({ tracker, contexts }: Components): Promise<void> {
  const entries = menu(meant(tracker), contexts.restorable);
  const chosen = await vscode.window.showQuickPick(entries, { title: 'Pollard' });
  if (chosen) {
    await vscode.commands.executeCommand(chosen.command);
  }
}
