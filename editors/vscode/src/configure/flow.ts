/**
 * *Configure Oracle*: asks for a command, runs it once, lets the user choose what makes a run
 * interesting, and writes the settings file.
 */

import * as vscode from 'vscode';

import { nameOf, uriOf } from '../commands/targets.js';
import type { HistoryContent } from '../history/content.js';
import type { CheckedParams, Configured, Criterion } from '../protocol.js';
import type { WindowServer } from '../windowServer.js';
import { runCheck } from './oracleCheck.js';
import { definitionOf, namesTheFile, suggestedCommand } from './suggestions.js';
import { lastLine, outcome, report } from './runReport.js';

/** What *Configure Oracle* needs to know. */
export interface ConfigureContext {
  readonly server: WindowServer;
  readonly content: HistoryContent;
  readonly document: vscode.TextDocument;
  /** The server's id of the document's language. */
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
 * Returns its name; undefined if the user gave up, or has seen why it is impossible.
 */
export async function configureOracle(subject: ConfigureContext): Promise<string | undefined> {
  const command = await askForCommand(subject);
  if (command === undefined) {
    return undefined;
  }
  const tried = definitionOf(command);
  const uri = uriOf(subject.document);
  const checked = await runCheck(subject.server, { uri, definition: tried, checks: 1 });
  if (!checked?.runs[0]) {
    return undefined; // the server has shown the reason, or the user refused
  }
  const criterion = await pickCriterion(subject, checked);
  if (!criterion) {
    return undefined;
  }
  const definition = { ...tried, ...criterion.definition };
  const configured = await subject.server.execute('pollard.configureOracle', { uri, definition });
  await writeSettings(configured);
  void confirmWritten(configured);
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
    validateInput: (text) => validation(text),
  });
}

function validation(command: string): vscode.InputBoxValidationMessage | null {
  if (!command.trim()) {
    return { message: 'Enter a command.', severity: vscode.InputBoxValidationSeverity.Error };
  }
  return namesTheFile(command)
    ? null
    : {
        message: 'Without {file} the command gets the text on standard input.',
        severity: vscode.InputBoxValidationSeverity.Info,
      };
}

/** Let the user choose what makes a run interesting. */
async function pickCriterion(
  { content }: ConfigureContext,
  checked: CheckedParams,
): Promise<Criterion | undefined> {
  const [run] = checked.runs;
  if (!run || !checked.criteria?.length) {
    void vscode.window.showWarningMessage(
      `Pollard: ${checked.description || 'this run shows nothing by which the failure can be recognised.'}`,
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

/** Write the file: through its editor if that has unsaved changes, else to the disk. */
async function writeSettings({ uri, text }: Configured): Promise<void> {
  const file = vscode.Uri.parse(uri);
  const open = vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === file.toString(),
  );
  if (!open?.isDirty) {
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  const all = new vscode.Range(0, 0, open.lineCount, 0);
  edit.replace(file, open.validateRange(all), text);
  await vscode.workspace.applyEdit(edit);
  await open.save();
}

/** Tell the user which file was written, and offer to open it. */
async function confirmWritten({ uri, name, created }: Configured): Promise<void> {
  const file = nameOf(uri);
  const open = `Open ${file}`;
  const message = `The oracle '${name}' was added to ${created ? 'the new ' : ''}${file}.`;
  if ((await vscode.window.showInformationMessage(message, open)) === open) {
    await vscode.window.showTextDocument(vscode.Uri.parse(uri));
  }
}
