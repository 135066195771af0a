/** *Configure Oracle*: a command, one run of it, and what of that run is the failure. */

import * as vscode from 'vscode';

import { nameOf, uriOf } from '../commands/targets.js';
import type { HistoryContent } from '../history/content.js';
import type { CheckedParams, Criterion } from '../protocol.js';
import type { WindowServer } from '../windowServer.js';
import { runCheck } from './oracleCheck.js';
import { definitionOf, namesTheFile, suggestedCommand } from './suggestions.js';
import { lastLine, outcome, report } from './runReport.js';
import { tellWritten, writeSettings } from './writing.js';

/** What the flow needs. */
export interface ConfigureContext {
  readonly session: WindowServer;
  readonly content: HistoryContent;
  readonly document: vscode.TextDocument;
  /** The server's name of the document's language. */
  readonly language: string | null;
}

interface CriterionItem extends vscode.QuickPickItem {
  readonly criterion: Criterion;
}

const SHOW_OUTPUT: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('output'),
  tooltip: 'Show output',
};

/**
 * Let the user configure an oracle for a document.
 *
 * Returns its name, undefined if the user gave up or was told why it cannot be.
 */
export async function configureOracle(subject: ConfigureContext): Promise<string | undefined> {
  const command = await askForCommand(subject);
  if (command === undefined) {
    return undefined;
  }
  const tried = definitionOf(command);
  const uri = uriOf(subject.document);
  const checked = await runCheck(subject.session, { uri, definition: tried, checks: 1 });
  if (!checked?.runs[0]) {
    return undefined; // the server has said why, or the user said no
  }
  const criterion = await pickCriterion(subject, checked);
  if (!criterion) {
    return undefined;
  }
  const definition = { ...tried, ...criterion.definition };
  const configured = await subject.session.execute('pollard.configureOracle', { uri, definition });
  await writeSettings(configured);
  void tellWritten(configured);
  return configured.name;
}

function askForCommand({ document, language }: ConfigureContext): Thenable<string | undefined> {
  const suggested = suggestedCommand(document.languageId, language);
  const value = suggested ?? '';
  return vscode.window.showInputBox({
    title: 'Configure oracle (1 of 2)',
    prompt: `The command that fails on ${nameOf(uriOf(document))}; {file} stands for the file.`,
    placeHolder: 'For example: gcc -c {file} -o out.o',
    value,
    valueSelection: [value.length, value.length],
    ignoreFocusOut: true,
    validateInput: (text) => remark(text),
  });
}

function remark(command: string): vscode.InputBoxValidationMessage | null {
  if (!command.trim()) {
    return { message: 'Name a command.', severity: vscode.InputBoxValidationSeverity.Error };
  }
  return namesTheFile(command)
    ? null
    : {
        message: 'Without {file} the command gets the text on standard input.',
        severity: vscode.InputBoxValidationSeverity.Info,
      };
}

/** Let the user say what makes such a run interesting. */
async function pickCriterion(
  { content }: ConfigureContext,
  checked: CheckedParams,
): Promise<Criterion | undefined> {
  const [run] = checked.runs;
  if (!run || !checked.criteria?.length) {
    void vscode.window.showWarningMessage(
      `Pollard: ${checked.description || 'this run has nothing to tell the failure by.'}`,
    );
    return undefined;
  }
  const items = checked.criteria.map((criterion) => ({
    label: criterion.title,
    detail: criterion.detail,
    criterion,
  }));
  const input = vscode.window.createQuickPick<CriterionItem>();
  input.title = `Configure oracle (2 of 2): ${outcome(run)}`;
  input.placeholder = `What is the failure? ${lastLine(run)}`;
  input.buttons = [SHOW_OUTPUT];
  input.items = items;
  input.ignoreFocusOut = true;
  return shown(input, () => content.showOutput('output of the oracle', report(checked)));
}

function shown(
  input: vscode.QuickPick<CriterionItem>,
  showOutput: () => Promise<void>,
): Promise<Criterion | undefined> {
  return new Promise((resolve) => {
    input.onDidTriggerButton(() => void showOutput());
    input.onDidAccept(() => {
      resolve(input.selectedItems[0]?.criterion);
      input.hide();
    });
    input.onDidHide(() => {
      resolve(undefined);
      input.dispose();
    });
    input.show();
  });
}
