// Serves exact facts about documents to the tests, on a local port that it writes into the folder
// POLLARD_PROBE. It selects text and leads a window from one test's folder to the next one's; all else
// the tests do by pressing keys and clicking in the page.
"use strict";

const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const vscode = require("vscode");

/** Every change of every document, oldest first, with the whole text after it. */
const changes = [];

const REASONS = { [vscode.TextDocumentChangeReason.Undo]: "undo", [vscode.TextDocumentChangeReason.Redo]: "redo" };

function document(uri) {
  const found = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri);
  return found && describe(found);
}

function describe(one) {
  return {
    uri: one.uri.toString(),
    text: one.getText(),
    version: one.version,
    eol: one.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n",
    dirty: one.isDirty,
    language: one.languageId,
  };
}

function tabs() {
  return vscode.window.tabGroups.all.flatMap((group) =>
    group.tabs.map((tab) => ({
      label: tab.label,
      active: tab.isActive,
      original: tab.input?.original?.toString() ?? null,
      modified: tab.input?.modified?.toString() ?? null,
      uri: tab.input?.uri?.toString() ?? null,
    })),
  );
}

/** The extension host's own marks of when it loaded and activated an extension, in milliseconds. */
function marks(extension) {
  return globalThis.MonacoPerformanceMarks.getMarks()
    .filter((mark) => mark.name.toLowerCase().endsWith("/" + extension))
    .map((mark) => ({ name: mark.name, at: mark.startTime }));
}

function select({ uri, start, end }) {
  const editor = vscode.window.visibleTextEditors.find((one) => one.document.uri.toString() === uri);
  if (!editor) {
    return false;
  }
  editor.selection = new vscode.Selection(...start, ...end);
  editor.revealRange(editor.selection);
  return true;
}

/** Close all that a test has left in the window, without saving, and start another server. */
async function leave() {
  const run = vscode.commands.executeCommand;
  while (vscode.window.tabGroups.all.some((group) => group.tabs.length > 0)) {
    await run("workbench.action.revertAndCloseActiveEditor");
  }
  await run("workbench.action.closePanel");
  await run("pollard.restartServer");
  await run("notifications.clearAll");
  return true;
}

/** Open a folder beside the first one, in the place of the last test's, and a file in it. */
async function enter({ folder, file }) {
  const others = vscode.workspace.workspaceFolders.length - 1;
  const changed = new Promise((resolve) => {
    const listener = vscode.workspace.onDidChangeWorkspaceFolders(() => (listener.dispose(), resolve()));
  });
  if (!vscode.workspace.updateWorkspaceFolders(1, others, { uri: vscode.Uri.file(folder) })) {
    return false;
  }
  await changed;
  await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
  return true;
}

const ANSWERS = {
  "/documents": () => vscode.workspace.textDocuments.map(describe),
  "/document": ({ uri }) => document(uri) ?? null,
  "/changes": ({ uri }) => changes.filter((change) => change.uri === uri),
  "/tabs": tabs,
  "/select": select,
  "/leave": leave,
  "/enter": enter,
  "/active": () => {
    const editor = vscode.window.activeTextEditor;
    if (!editor) {
      return null;
    }
    const { document, selection } = editor;
    const end = document.positionAt(document.getText().length);
    return {
      uri: document.uri.toString(),
      empty: selection.isEmpty,
      atEnd: selection.isEmpty && selection.active.isEqual(end),
    };
  },
  "/extension": ({ id }) => {
    const found = vscode.extensions.getExtension(id);
    return { installed: Boolean(found), active: found?.isActive ?? false, marks: marks(id) };
  },
  // Once the server answers, it has received all earlier changes.
  "/delivered": async ({ uri }) => (await vscode.commands.executeCommand("pollard.status", { uri })) ?? true,
  "/trusted": () => vscode.workspace.isTrusted,
  "/commands": () => vscode.commands.getCommands(true),
};

function serve(request, response) {
  let body = "";
  request.on("data", (piece) => (body += piece));
  request.on("end", async () => {
    const answer = ANSWERS[request.url];
    response.statusCode = answer ? 200 : 404;
    response.end(JSON.stringify(answer ? await answer(body ? JSON.parse(body) : {}) : null));
  });
}

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.contentChanges.length > 0) {
        const { uri, text, version } = describe(event.document);
        changes.push({ uri, text, version, reason: REASONS[event.reason] ?? null, pieces: event.contentChanges.length });
      }
    }),
  );
  const file = path.join(process.env.POLLARD_PROBE, `${process.pid}.json`);
  const tell = () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? null;
    fs.writeFileSync(file + ".new", JSON.stringify({ folder, port: server.address().port, pid: process.pid }));
    fs.renameSync(file + ".new", file);
  };
  const server = http.createServer(serve).listen(0, "127.0.0.1", () => {
    tell();
    // A busy machine may fill a workspace after its extensions were activated.
    context.subscriptions.push(vscode.workspace.onDidChangeWorkspaceFolders(tell));
  });
  context.subscriptions.push({ dispose: () => server.close() });
};
