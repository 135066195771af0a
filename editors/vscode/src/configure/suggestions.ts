/** Suggests a command for a language, and makes an oracle's definition of a command. */

/** By VS Code's or Pollard's id of the language. No command writes outside the run's directory. */
const COMMANDS: Readonly<Record<string, string>> = {
  bash: 'bash {file}',
  c: 'gcc -O2 -c {file} -o out.o',
  cpp: 'g++ -O2 -c {file} -o out.o',
  csharp: 'dotnet script {file}',
  css: 'npx stylelint {file}',
  dart: 'dart analyze {file}',
  elixir: 'elixir {file}',
  fortran: 'gfortran -c {file} -o out.o',
  go: 'go vet {file}',
  haskell: 'ghc -fno-code {file}',
  html: 'npx html-validate {file}',
  java: 'javac -d . {file}',
  javascript: 'node {file}',
  javascriptreact: 'npx esbuild {file}',
  json: 'jq . {file}',
  julia: 'julia {file}',
  kotlin: 'kotlinc {file}',
  lua: 'lua {file}',
  ocaml: 'ocamlc -c {file} -o out.cmo',
  perl: 'perl {file}',
  php: 'php {file}',
  python: 'python3 {file}',
  r: 'Rscript {file}',
  ruby: 'ruby {file}',
  rust: 'rustc --crate-type lib {file}',
  scala: 'scalac -d . {file}',
  shellscript: 'bash {file}',
  sql: 'sqlite3 :memory: ".read {file}"',
  swift: 'swiftc -typecheck {file}',
  typescript: 'npx tsc --noEmit {file}',
  typescriptreact: 'npx tsc --noEmit --jsx preserve {file}',
  xml: 'xmllint {file}',
  zig: 'zig ast-check {file}',
};

/** Return a command for the first of these languages that has one, null if none has. */
export function suggestedCommand(...languages: (string | null)[]): string | null {
  const known = languages.find((name) => name !== null && Object.hasOwn(COMMANDS, name));
  return known ? (COMMANDS[known] ?? null) : null;
}

/** Return the oracle's definition; a command that does not name the file reads standard input. */
export function definitionOf(command: string): Record<string, unknown> {
  const definition = { command: command.trim() };
  return namesTheFile(command) ? definition : { ...definition, stdin: true };
}

/** Return whether a command names the file, rather than reading the text on standard input. */
export function namesTheFile(command: string): boolean {
  return command.includes('{file}') || command.includes('{dir}');
}
