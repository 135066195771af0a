/** Shows the server's questions: consent in a dialog, everything else in a notification. */

import * as vscode from 'vscode';

/** The part of `window/showMessageRequest` that is used; `type` 1 is an error, 2 a warning. */
export interface Question {
  readonly type: number;
  readonly message: string;
  readonly actions?: readonly { readonly title: string }[];
}

/** The answer that lets a command run once; only the question for consent offers it. */
const RUN_ONCE = 'Run once';
const NO = 'No';

/** Return whether a question is the one whether an oracle may run. */
export function asksForConsent(question: Question): boolean {
  return question.actions?.some(({ title }) => title === RUN_ONCE) ?? false;
}

/**
 * Ask the user and return the chosen action.
 *
 * A notification shows the lines of a command as one and goes away by itself, so that consent would be
 * given to something half read, or never. The other questions come while the user types, and a
 * dialog would take the keys.
 */
export async function ask(question: Question): Promise<{ title: string } | null> {
  const titles = question.actions?.map(({ title }) => title) ?? [];
  const title = asksForConsent(question)
    ? await inDialog(question.message, titles)
    : await asNotification(question, titles);
  return title === undefined ? null : { title };
}

async function inDialog(message: string, titles: readonly string[]): Promise<string | undefined> {
  const [first = '', ...rest] = message.split('\n');
  const items = titles.map((title) => ({ title, isCloseAffordance: title === NO }));
  const options = { modal: true, detail: rest.join('\n') };
  return (await vscode.window.showWarningMessage(first, options, ...items))?.title;
}

async function asNotification(
  { type, message }: Question,
  titles: readonly string[],
): Promise<string | undefined> {
  const show =
    type === 1
      ? vscode.window.showErrorMessage
      : type === 2
        ? vscode.window.showWarningMessage
        : vscode.window.showInformationMessage;
  return show(message, ...titles);
}
