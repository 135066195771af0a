/**
 * The values of the section `pollard` that the user has set, which are the only ones sent to the
 * server.
 *
 * The defaults in package.json are for the settings editor. If they were sent, they would override
 * `pollard.toml`.
 */

/** The part of `vscode.WorkspaceConfiguration` that is used. */
export interface WorkspaceConfiguration {
  get(key: string): unknown;
  inspect(key: string): Inspected | undefined;
}

/** The values of a setting at each level, as `vscode.WorkspaceConfiguration.inspect` returns them. */
export interface Inspected {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
  readonly globalLanguageValue?: unknown;
  readonly workspaceLanguageValue?: unknown;
  readonly workspaceFolderLanguageValue?: unknown;
}

/** The server's settings, with dots between the keys of tables; see Pollard's docs/settings.md. */
export const SERVER_KEYS = [
  'oracle',
  'strategy',
  'renaming',
  'formatter',
  'jobs',
  'speculation',
  'timeout',
  'memory',
  'output_limit',
  'guard',
  'cache',
  'checks',
  'max_runs',
  'max_time',
  'learn_invalid',
  'preprocessing.squeeze',
  'preprocessing.flatten',
  'preprocessing.hide',
  'preprocessing.islands',
  'stream.mode',
  'stream.interval',
  'languages',
  'oracles',
] as const;

type Table = Record<string, unknown>;

/** Return the settings that have a value, as nested tables. */
export function setValues(configuration: WorkspaceConfiguration): Table {
  const section: Table = {};
  for (const key of SERVER_KEYS) {
    const value = isSet(configuration.inspect(key)) ? configuration.get(key) : null;
    if (value !== null && value !== undefined && value !== '') {
      put(section, key.split('.'), value);
    }
  }
  return section;
}

function isSet(inspected: Inspected | undefined): boolean {
  return [
    inspected?.globalValue,
    inspected?.workspaceValue,
    inspected?.workspaceFolderValue,
    inspected?.globalLanguageValue,
    inspected?.workspaceLanguageValue,
    inspected?.workspaceFolderLanguageValue,
  ].some((value) => value !== undefined);
}

function put(table: Table, [key, ...rest]: string[], value: unknown): void {
  if (key === undefined) {
    return;
  }
  if (rest.length === 0) {
    table[key] = value;
  } else {
    put((table[key] ??= {}) as Table, rest, value);
  }
}
