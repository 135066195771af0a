/** Finds Pythons on this machine. */

import * as vscode from 'vscode';

/** The part of the Python extension's interface that is used here. */
interface Environments {
  getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
  resolveEnvironment(environment: {
    path: string;
  }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
}

interface PythonApi {
  readonly environments?: Environments;
}

/**
 * Return the interpreter that is chosen in the Python extension, null if there is none.
 *
 * Always null in an untrusted workspace, because the interpreter may be a file of that workspace.
 */
export async function activeInterpreter(): Promise<string | null> {
  const extension = vscode.extensions.getExtension<PythonApi>('ms-python.python');
  if (!extension || !vscode.workspace.isTrusted) {
    return null;
  }
  try {
    const { environments } = extension.isActive ? extension.exports : await extension.activate();
    return environments ? await chosenIn(environments) : null;
  } catch {
    return null; // a broken Python extension must not keep the server from starting
  }
}

async function chosenIn(environments: Environments): Promise<string | null> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const active = environments.getActiveEnvironmentPath(folder);
  const environment = await environments.resolveEnvironment(active);
  return environment?.executable.uri?.fsPath ?? null;
}

/** Yield the commands that may start a Python, likeliest first, after those in `preferred`. */
export function* pythonCommands(...preferred: (string | null)[]): Generator<readonly string[]> {
  for (const command of preferred) {
    if (command) {
      yield [command];
    }
  }
  if (process.platform === 'win32') {
    yield ['py', '-3'];
  }
  yield ['python3'];
  yield ['python'];
  for (const minor of [14, 13, 12, 11, 10]) {
    yield [`python3.${minor}`];
  }
}
