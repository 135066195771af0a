// Connects VS Code with the language server of language-server.json in the opened folder, as the
// extension of the server does: by the same client library. Those extensions come from a marketplace
// that the tests do not reach.
"use strict";

const fs = require("node:fs");
const { createRequire } = require("node:module");
const path = require("node:path");
const vscode = require("vscode");

let client;

exports.activate = async () => {
  const folder = vscode.workspace.workspaceFolders[0];
  const file = path.join(folder.uri.fsPath, "language-server.json");
  const { tools, name, command, language, settings } = JSON.parse(fs.readFileSync(file, "utf8"));
  const { LanguageClient } = createRequire(tools + path.sep)("vscode-languageclient/node");
  const [program, ...args] = command;
  const answer = settings && { ...settings, workspaceFolder: { uri: folder.uri.toString(), name: folder.name } };
  client = new LanguageClient(
    name,
    { command: program, args },
    {
      documentSelector: [{ scheme: "file", language }],
      middleware: { workspace: { configuration: ({ items }) => items.map(() => answer ?? null) } },
    },
  );
  await client.start();
};

exports.deactivate = () => client?.stop();
