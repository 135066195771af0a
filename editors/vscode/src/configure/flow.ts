/**
 * *Configure Oracle*: asks what is wrong and for a command, has the server try that, lets the user
 * choose what makes a run interesting, and writes the settings file.
 */

import * as vscode from 'vscode';

import { nameOf, uriOf } from '../commands/targets.js';
import type { HistoryContent } from '../history/content.js';
import type { Answers, CheckedParams, Configured, Criterion } from '../protocol.js';
import type { WindowServer } from '../windowServer.js';
import { askAll, pickPreset } from './asking.js';
import { runCheck } from './oracleCheck.js';
import { criterionDetail, lastLine, outcome, report } from './runReport.js';

/** What *Configure Oracle* needs to know. */
export interface ConfigureContext {
  readonly server: WindowServer;
  readonly content: HistoryContent;
  readonly document: vscode.TextDocument;
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
 * It begins with the presets, or with the command for a choice from all that a run shows. Returns
 * the oracle's name; undefined if the user gave up, or has seen why it is impossible.
 */
export async function configureOracle(
  subject: ConfigureContext,
  begin: 'presets' | 'command',
): Promise<string | undefined> {
  const uri = uriOf(subject.document);
  const wish = await askForPreset(subject, begin);
  if (wish === undefined) {
    return undefined;
  }
  const checked = await runCheck(subject.server, { uri, ...wish });
  if (!checked?.criteria?.length) {
    return undefined; // the server has shown the reason, or the user refused
  }
  const criterion = await pickCriterion(subject, checked, Object.keys(wish.answers).length + 1);
  if (!criterion) {
    return undefined;
  }
  const { definition } = criterion;
  const configured = await subject.server.execute('pollard.configureOracle', { uri, definition });
  await writeSettings(configured);
  void confirmWritten(configured);
  return configured.name;
}

/** Return the preset that the user chose, and their answers to its questions. */
async function askForPreset(
  subject: ConfigureContext,
  begin: 'presets' | 'command',
): Promise<{ preset: string; answers: Answers } | undefined> {
  const uri = uriOf(subject.document);
  const { presets } = await subject.server.execute('pollard.presets', { uri });
  const picks = begin === 'presets';
  const preset = picks ? await pickPreset(presets, nameOf(uri)) : presets.at(-1);
  const answers = preset && (await askAll(preset, !picks));
  if (answers === 'presets') {
    return askForPreset(subject, 'presets');
  }
  return answers && { preset: preset.name, answers };
}

/** Let the user choose what makes a run interesting. */
async function pickCriterion(
  { content }: ConfigureContext,
  checked: CheckedParams,
  step: number,
): Promise<Criterion | undefined> {
  const [run] = checked.runs;
  if (!run) {
    return undefined;
  }
  const items = (checked.criteria ?? []).map((criterion) => ({
    label: criterion.title,
    detail: criterionDetail(criterion),
    criterion,
  }));
  const input = vscode.window.createQuickPick<CriterionItem>();
  input.title = `Configure oracle (${step} of ${step}): ${outcome(run)}`;
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
