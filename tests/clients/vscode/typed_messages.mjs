// Every message that the daemon sends in a test is held against the types of the protocol: each becomes a literal in a
// TypeScript program, which the compiler checks strictly. A member that is missing, has the wrong type, or does not
// exist in the protocol is an error that names message and member.
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const notifications = {
    'textDocument/publishDiagnostics': 'P.PublishDiagnosticsParams',
    'window/logMessage': 'P.LogMessageParams',
    'window/showMessage': 'P.ShowMessageParams',
    '$/progress': '{ token: P.ProgressToken; value: Progress }',
    'heddle/status': 'Record<string, number | string>',
};

const requests = {
    'client/registerCapability': 'P.RegistrationParams',
    'client/unregisterCapability': 'P.UnregistrationParams',
    'window/showDocument': 'P.ShowDocumentParams',
    'window/showMessageRequest': 'P.ShowMessageRequestParams',
    'window/workDoneProgress/create': 'P.WorkDoneProgressCreateParams',
    'workspace/applyEdit': 'P.ApplyWorkspaceEditParams',
    'workspace/configuration': 'P.ConfigurationParams',
    'workspace/diagnostic/refresh': 'undefined',
    'workspace/codeLens/refresh': 'undefined',
    'workspace/inlayHint/refresh': 'undefined',
};

const results = {
    initialize: 'P.InitializeResult',
    shutdown: 'null',
    'textDocument/hover': 'P.Hover | null',
    'textDocument/codeAction': '(P.Command | P.CodeAction)[] | null',
    'codeAction/resolve': 'P.CodeAction',
    'textDocument/documentHighlight': 'P.DocumentHighlight[] | null',
    'textDocument/references': 'P.Location[] | null',
    'textDocument/codeLens': 'P.CodeLens[] | null',
    'textDocument/inlayHint': 'P.InlayHint[] | null',
    'textDocument/diagnostic': 'P.DocumentDiagnosticReport',
    'workspace/diagnostic': 'P.WorkspaceDiagnosticReport',
    'workspace/executeCommand': 'P.LSPAny',
    'heddle/status': 'P.LSPAny',
    'heddle/stop': 'P.LSPAny',
};

const prelude = `import * as P from 'vscode-languageserver-protocol';
type Id = number | string;
type Progress = P.WorkDoneProgressBegin | P.WorkDoneProgressReport | P.WorkDoneProgressEnd;
type With<Params> = undefined extends Params ? { params?: never } : { params: Params };
type Notification<Params> = { jsonrpc: '2.0'; method: string } & With<Params>;
type Request<Params> = { jsonrpc: '2.0'; id: Id; method: string } & With<Params>;
type Response<Result> = { jsonrpc: '2.0'; id: Id; result: Result };
type Refusal = { jsonrpc: '2.0'; id: Id | null; error: { code: P.integer; message: string; data?: P.LSPAny } };
`;

const kept = new Set();

/** The type that a message has to have; `asked` is the method that a response answers. */
function typeOf(message, asked) {
    if ('method' in message) {
        const known = 'id' in message ? requests : notifications;
        const params = known[message.method] ?? `NoTypeIsKnownFor<${JSON.stringify(message.method)}>`;
        return 'id' in message ? `Request<${params}>` : `Notification<${params}>`;
    }
    if ('error' in message) return 'Refusal';
    return `Response<${results[asked] ?? `NoTypeIsKnownFor<${JSON.stringify(asked)}>`}>`;
}

export function keepMessage(message, asked) {
    kept.add(`${typeOf(message, asked)} = ${JSON.stringify(message)};`);
}

/** What the compiler says about a program of one file in this folder. */
function complaints(text) {
    const name = fileURLToPath(new URL('messages.ts', import.meta.url));
    const options = {
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        types: [],
        skipLibCheck: true,
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.CommonJS,
        moduleResolution: ts.ModuleResolutionKind.Node10,
    };
    const host = ts.createCompilerHost(options);
    const { getSourceFile, fileExists } = host;
    host.fileExists = (file) => file === name || fileExists(file);
    host.getSourceFile = (file, ...more) =>
        file === name ? ts.createSourceFile(file, text, ts.ScriptTarget.ES2022) : getSourceFile(file, ...more);
    const program = ts.createProgram([name], options, host);
    return ts.getPreEmitDiagnostics(program).map((one) => {
        const line = one.file ? one.file.text.slice(one.start).split('\n', 1)[0] : '';
        return `${ts.flattenDiagnosticMessageText(one.messageText, '\n')}\n    at ${line}`;
    });
}

after(() => {
    if (kept.size === 0) throw new Error('no message was heard: nothing was tested');
    const program = [...kept].map((message, i) => `const message${i}: ${message}`);
    const wrong = complaints(prelude + program.join('\n'));
    if (wrong.length > 0) throw new Error(`messages that the protocol does not allow:\n${wrong.join('\n')}`);
});
