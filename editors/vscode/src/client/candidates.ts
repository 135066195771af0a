/** Announces and answers the server's question what VS Code's own tools report about a candidate. */

import type * as vscode from 'vscode';
import type { LanguageClient, StaticFeature } from 'vscode-languageclient/node';

import { diagnose, type DiagnoseParams } from './hiddenDocuments.js';

/** The request from the server, and the experimental capability that announces an answer to it. */
const DIAGNOSE = 'pollard/diagnose';
const DIAGNOSE_CAPABILITY = 'pollardDiagnose';

/** Let a client that has not started yet answer the server. */
export function answerAboutCandidates(client: LanguageClient): void {
  const feature: StaticFeature = {
    fillClientCapabilities: (capabilities) => {
      capabilities.experimental = {
        ...(capabilities.experimental as object | undefined),
        [DIAGNOSE_CAPABILITY]: true,
      };
    },
    initialize: () => undefined,
    getState: () => ({ kind: 'static' }),
    clear: () => undefined,
  };
  client.registerFeature(feature);
  client.onRequest(DIAGNOSE, (params: DiagnoseParams, token: vscode.CancellationToken) =>
    diagnose(params, token),
  );
}
