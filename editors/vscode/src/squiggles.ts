/**
 * Starts the server once the cursor is on a diagnostic that it can reduce to.
 *
 * A workspace that has no oracle does not use Pollard yet, so no server runs that could offer
 * *Reduce to this diagnostic*. VS Code asks for code actions whenever the cursor comes to a diagnostic,
 * and asks again when the server is there.
 */

import * as vscode from 'vscode';

/** The sources of tools that the server knows; a test compares them with `tools.toml`. */
const SOURCES = new Set([
  'basedpyright',
  'bash-ide-vscode: shellcheck',
  'biome',
  'clang',
  'clangd',
  'compiler',
  'deno-ts',
  'eslint',
  'flake8',
  'g++',
  'gcc',
  'go',
  'go vet',
  'go-vet',
  'luacheck',
  'mypy',
  'pycodestyle',
  'pyflakes',
  'pylance',
  'pylint',
  'pyright',
  'ruff',
  'rustc',
  'shellcheck',
  'ts',
  'tsserver',
  'typescript',
  'vet',
  'yamllint',
]);

/** Call `seen` when code actions are requested for a diagnostic of a known tool. */
export function watchForSquiggles(seen: () => void): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    [{ scheme: 'file' }, { scheme: 'untitled' }],
    {
      provideCodeActions: (_document, _range, { diagnostics }) => {
        if (diagnostics.some(({ source }) => SOURCES.has(source?.trim().toLowerCase() ?? ''))) {
          seen();
        }
        return []; // the server offers the action
      },
    },
  );
}
