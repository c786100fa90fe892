// A client's life: what may be asked when, how it ends, and what becomes of mistakes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import protocol from 'vscode-languageserver-protocol/node.js';

import { startStdio } from './checked_client.mjs';
import { Workspace, heddle } from './workspace.mjs';

const hover = { textDocument: { uri: 'file:///a.cpp' }, position: { line: 0, character: 0 } };

test('nothing is answered before initialize', async (t) => {
    const client = startStdio(new Workspace(t));
    await assert.rejects(client.request('textDocument/hover', hover), { code: -32002 });
    await assert.rejects(client.request('shutdown'), { code: -32002 });
});

test('initialize tells what the daemon can do, and comes once', async (t) => {
    const workspace = new Workspace(t);
    const client = startStdio(workspace);
    const { capabilities, serverInfo } = await client.begin(workspace);
    assert.equal(serverInfo.name, 'heddle');
    assert.equal(capabilities.positionEncoding, 'utf-16');
    assert.ok(capabilities.hoverProvider);
    assert.deepEqual(capabilities.codeActionProvider, { codeActionKinds: ['quickfix'], resolveProvider: true });
    assert.ok(capabilities.executeCommandProvider.commands.includes('heddle.showWitness'));
    assert.equal(capabilities.diagnosticProvider, undefined, 'a client that cannot pull is not offered it');
    await assert.rejects(client.initialize(workspace), { code: -32600 });
});

test('options of code actions are for clients that take literals', async (t) => {
    const workspace = new Workspace(t);
    const { capabilities } = await startStdio(workspace).begin(workspace, {});
    assert.equal(capabilities.codeActionProvider, true);
});

test('what is advertised is answered; what is unknown is refused', async (t) => {
    const workspace = new Workspace(t);
    const client = startStdio(workspace);
    await client.begin(workspace);
    const textDocument = { uri: workspace.uri('bank.cpp') };
    const position = { line: 0, character: 0 };
    assert.equal(await client.request('textDocument/hover', { textDocument, position }), null);
    const range = { start: position, end: position };
    assert.deepEqual(
        await client.request('textDocument/codeAction', { textDocument, range, context: { diagnostics: [] } }),
        [],
    );
    await assert.rejects(client.request('textDocument/definition', { textDocument, position }), { code: -32601 });
    await assert.rejects(client.request('textDocument/hover', { position }), { code: -32602 });
    await assert.rejects(client.execute('heddle.unheardOf'), { code: -32602 });
    await client.notify('$/ofNoConcern', {});
    assert.equal(await client.request('textDocument/hover', { textDocument, position }), null);
});

test('after shutdown only exit may follow, and it ends well', async (t) => {
    const workspace = new Workspace(t);
    const client = startStdio(workspace);
    await client.begin(workspace);
    assert.equal(await client.request('shutdown'), null);
    await assert.rejects(client.request('textDocument/hover', hover), { code: -32600 });
    await client.notify('exit');
    assert.equal(await client.exitCode, 0);
});

test('exit without shutdown is an error', async (t) => {
    const workspace = new Workspace(t);
    const client = startStdio(workspace);
    await client.begin(workspace);
    await client.notify('exit');
    assert.equal(await client.exitCode, 1);
});

test('the daemon ends when its editor closes the pipe', async (t) => {
    const workspace = new Workspace(t);
    const client = startStdio(workspace);
    await client.begin(workspace);
    client.child.stdin.end();
    assert.equal(await client.exitCode, 1);
});

test('the daemon ends when the process of its editor dies', async (t) => {
    const workspace = new Workspace(t);
    const client = startStdio(workspace);
    const editor = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(editor, 'spawn');
    await client.begin(workspace, undefined, { processId: editor.pid });
    editor.stdin.end();
    assert.equal(await client.exitCode, 1);
});

test('text that is no message is refused, and survived', async (t) => {
    const workspace = new Workspace(t);
    const child = spawn(heddle, ['lsp'], {
        env: workspace.environment,
        stdio: ['pipe', 'pipe', 'inherit'],
    });
    workspace.beforeRemoval(() => child.kill('SIGKILL'));
    const refused = [];
    const reader = new protocol.StreamMessageReader(child.stdout);
    const take = new Promise((resolve) => {
        reader.listen((message) => {
            refused.push(message);
            if (refused.length === 3) resolve();
        });
    });
    const send = (body) => child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    send('{"jsonrpc": "2.0", "id": 1, ');
    send('[{"jsonrpc":"2.0","id":2,"method":"shutdown"}]');
    send('{"jsonrpc":"2.0","id":3,"method":"shutdown"}');
    await take;
    assert.deepEqual(
        refused.map((message) => [message.id, message.error.code]),
        [
            [null, -32700],
            [null, -32600],
            [3, -32002],
        ],
    );
});
