/** The extension's entry point: creates its components and connects them to VS Code's events. */

import * as vscode from 'vscode';

import { targetReduction, pauseOrResume, restoreOriginal, stop } from './commands/running.js';
import { checkActive, configureActive } from './commands/oracles.js';
import { offerNext, reduceOther, reduceOtherActive } from './commands/others.js';
import { isOfFolder, openResult, reduceFolder, showFolderHistory } from './commands/folder.js';
import { offerToContinue, reduceActive, reduceAsChosen } from './commands/reduce.js';
import { openReport, openReportActive } from './commands/report.js';
import { messageOf } from './errors.js';
import { WhenContexts } from './whenContexts.js';
import { HistoryContent, SCHEME } from './history/content.js';
import { restoreShown, showHistory } from './history/picker.js';
import {
  isOver,
  type ProgressParams,
  type ServerCommands,
  type ReduceArguments,
} from './protocol.js';
import { ReductionTracker } from './reductions/tracker.js';
import { NoServerError, WindowServer } from './windowServer.js';
import { StatusItem } from './status/item.js';
import { menu } from './status/menu.js';
import { watchForSquiggles } from './squiggles.js';
import { usesPollard, watchForSettings } from './workspace.js';

let server: WindowServer | undefined;

/** The extension's components. */
interface Components {
  readonly log: vscode.LogOutputChannel;
  readonly server: WindowServer;
  readonly content: HistoryContent;
  readonly tracker: ReductionTracker;
  readonly item: StatusItem;
  readonly contexts: WhenContexts;
}

/** Called by VS Code. Does as little as possible; the search for the server begins afterwards. */
export function activate(context: vscode.ExtensionContext): void {
  const began = performance.now();
  const log = vscode.window.createOutputChannel('Pollard', { log: true });
  server = new WindowServer(context, log);
  const tracker = new ReductionTracker();
  const components = {
    log,
    server,
    tracker,
    content: new HistoryContent(server),
    item: new StatusItem(tracker),
    contexts: new WhenContexts(server, tracker),
  };
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, components.content);
  context.subscriptions.push(log, server, components.item, provider);
  context.subscriptions.push(...commands(components), ...listeners(components));
  setTimeout(() => void startIfUsed(components), 0);
  log.info(`Activated in ${Math.round(performance.now() - began)} ms`);
}

/** Called by VS Code. Waits for the server to end its oracles. */
export async function deactivate(): Promise<void> {
  await server?.stop();
}

function commands(components: Components): vscode.Disposable[] {
  const { server, content, tracker, log } = components;
  const all: Record<string, (...args: never[]) => unknown> = {
    'pollard.reduceSelection': () => reduceActive(server, content, true),
    'pollard.reduceFile': () => reduceActive(server, content, false),
    'pollard.chooseFolder': (uri?: vscode.Uri) => reduceFolder(server, uri),
    'pollard.showFolderHistory': (uri?: vscode.Uri) => showFolderHistory(server, uri),
    'pollard.reduceAnotherFailure': () => reduceOtherActive(server),
    'pollard.openReport': () => openReportActive(server),
    'pollard.stopReduction': () => stop(server, tracker),
    'pollard.pauseResume': () => pauseOrResume(server, tracker),
    'pollard.restoreOriginal': () => restoreOriginal(server),
    'pollard.showHistory': () => showHistory(server),
    'pollard.restoreThis': (uri?: vscode.Uri) => restoreShown(server, uri),
    'pollard.checkThisOracle': () => checkActive(server, content, log),
    'pollard.configureThisOracle': () => configureActive(server, content),
    'pollard.restartServer': () => server.restart(),
    'pollard.showLog': () => log.show(),
    'pollard.showMenu': () => showMenu(components),
  };
  server.commandHandler = reportingErrors(log, (name, argument) => {
    switch (name) {
      case 'pollard.reduce':
        return reduceAsChosen(server, argument as ReduceArguments);
      case 'pollard.reduceOther':
        return reduceOther(server, (argument as { uri: string }).uri);
      case 'pollard.report':
        return openReport(server, (argument as { uri: string }).uri);
      default:
        return server.execute(name as keyof ServerCommands, argument as never);
    }
  });
  return Object.entries(all).map(([id, call]) =>
    vscode.commands.registerCommand(
      id,
      reportingErrors(log, call as (...args: unknown[]) => unknown),
    ),
  );
}

/** Wrap `call` so that an error is shown to the user, unless that has been done already. */
function reportingErrors<T extends unknown[]>(
  log: vscode.LogOutputChannel,
  call: (...args: T) => unknown,
): (...args: T) => Promise<unknown> {
  return async (...args) => {
    try {
      return await call(...args);
    } catch (error) {
      const message = messageOf(error);
      log.error(message);
      if (!(error instanceof NoServerError)) {
        void vscode.window.showErrorMessage(`Pollard: ${message}`);
      }
      return undefined;
    }
  };
}

function listeners(components: Components): vscode.Disposable[] {
  const { server, tracker, item, contexts, log } = components;
  let interrupted: ProgressParams[] = [];
  return [
    server.onProgress((progress) => {
      tracker.update(progress);
      item.update();
      contexts.progressed();
      if (isOver(progress.state)) {
        void contexts.refresh();
        const next = isOfFolder(progress) ? openResult : offerNext;
        void reportingErrors(log, () => next(server, progress))();
      }
    }),
    server.onStopped(() => {
      interrupted.push(...tracker.interrupt());
      item.update();
      void contexts.refresh();
    }),
    server.onRunning(() => {
      const before = interrupted;
      interrupted = [];
      void contexts.refresh();
      void reportingErrors(log, () => offerToContinue(server, before))();
    }),
    vscode.window.onDidChangeActiveTextEditor(() => {
      item.update();
      void contexts.refresh();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void server.trust()),
    vscode.workspace.onDidChangeConfiguration((change) => void reconfigured(components, change)),
    watchForSettings(() => void startQuietly(components)),
    watchForSquiggles(() => void startQuietly(components)),
  ];
}

async function reconfigured(
  components: Components,
  change: vscode.ConfigurationChangeEvent,
): Promise<void> {
  if (components.server.outdated) {
    await reportingErrors(components.log, () => components.server.restart())();
  } else if (change.affectsConfiguration('pollard.oracles')) {
    await startIfUsed(components);
  }
}

async function startIfUsed(components: Components): Promise<void> {
  if (await usesPollard()) {
    await startQuietly(components);
  }
}

/**
 * Start the server although the user has not asked for it.
 *
 * Does nothing if the last attempt failed with the same settings: the user has seen the reason, and
 * can start it again with any command.
 */
async function startQuietly({ server, log }: Components): Promise<void> {
  if (server.failed) {
    return;
  }
  await server.start().catch((error: unknown) => log.warn(String(error)));
}

async function showMenu({ tracker, contexts }: Components): Promise<void> {
  const entries = menu(targetReduction(tracker), contexts);
  const chosen = await vscode.window.showQuickPick(entries, { title: 'Pollard' });
  if (chosen) {
    await vscode.commands.executeCommand(chosen.command);
  }
}
