/** Asks which preset fits, and a preset's questions. What to ask comes from the server. */

import * as vscode from 'vscode';

import type { Answers, Preset, PresetQuestion } from '../protocol.js';

const PRESETS_BUTTON: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('list-unordered'),
  tooltip: 'It hangs, two versions differ, ...',
};

/** Let the user choose what is wrong. */
export async function pickPreset(
  presets: readonly Preset[],
  file: string,
): Promise<Preset | undefined> {
  const items = presets.map((preset) => ({ label: preset.title, detail: preset.detail, preset }));
  const options = { title: 'Configure oracle', placeHolder: `What is wrong with ${file}?` };
  return (await vscode.window.showQuickPick(items, { ...options, ignoreFocusOut: true }))?.preset;
}

/**
 * Ask all questions of a preset.
 *
 * Returns undefined if the user gave up, and 'presets' if they want another preset, which a button
 * offers with `mayChoose`.
 */
export async function askAll(
  { questions }: Preset,
  mayChoose: boolean,
): Promise<Answers | 'presets' | undefined> {
  const answers: Record<string, string> = {};
  for (const [index, question] of questions.entries()) {
    const title = `Configure oracle (${index + 1} of ${questions.length + 1})`;
    const answer = await ask(question, title, mayChoose ? [PRESETS_BUTTON] : []);
    if (answer === undefined) {
      return undefined;
    }
    if (answer === PRESETS_BUTTON) {
      return 'presets';
    }
    answers[question.name] = answer as string;
  }
  return answers;
}

function ask(
  question: PresetQuestion,
  title: string,
  buttons: vscode.QuickInputButton[],
): Promise<string | vscode.QuickInputButton | undefined> {
  const input = vscode.window.createInputBox();
  input.title = title;
  input.prompt = question.prompt;
  input.value = question.default;
  input.valueSelection = [question.default.length, question.default.length];
  input.buttons = buttons;
  input.ignoreFocusOut = true;
  return new Promise((resolve) => {
    const end = (answer: string | vscode.QuickInputButton | undefined): void => {
      resolve(answer);
      input.hide();
    };
    input.onDidChangeValue(() => (input.validationMessage = ''));
    input.onDidTriggerButton(end);
    input.onDidHide(() => {
      resolve(undefined);
      input.dispose();
    });
    input.onDidAccept(() => {
      const answer = input.value.trim();
      if (answer || question.optional) {
        end(answer);
      } else {
        input.validationMessage = 'Enter an answer.';
      }
    });
    input.show();
  });
}
