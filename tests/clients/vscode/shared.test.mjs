// One daemon for several editors: at a Unix socket, over TCP, and through `heddle lsp --connect`.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import net from 'node:net';
import { test } from 'node:test';

import { connectTo, everything, startDaemon, startStdio } from './checked_client.mjs';
import { Workspace, bankRun } from './workspace.mjs';

test('several clients see the same, and one that dies in the middle of a message disturbs none', async (t) => {
    const workspace = new Workspace(t);
    const daemon = await startDaemon(workspace, `unix:${workspace.socket}`);
    assert.deepEqual(daemon.lines, [`listening on unix:${workspace.socket}`]);
    assert.equal(statSync(workspace.socket).mode & 0o777, 0o600);
    const first = await connectTo(t, workspace.socket);
    const second = await connectTo(t, workspace.socket);
    const doomed = await connectTo(t, workspace.socket);
    for (const client of [first, second, doomed]) await client.begin(workspace);
    workspace.write('.heddle/traces/bank.std', bankRun());
    const uri = workspace.uri('bank.cpp');
    for (const client of [first, second, doomed]) await client.published(uri, 2);

    doomed.socket.write('Content-Length: 1000\r\n\r\n{"jsonrpc": "2.0", "id": 7, "met');
    doomed.socket.destroy();
    await first.untilStatus('two clients', ({ clients }) => clients === 2);
    workspace.write('.heddle/traces/bank.std', bankRun({ locked: true }));
    for (const client of [first, second]) await client.published(uri, 0);
    await first.leave();
    await first.closed;
    await second.untilStatus('one client', ({ clients }) => clients === 1);
});

test('hundreds of connections that break off anywhere leave nothing behind', async (t) => {
    const workspace = new Workspace(t);
    await startDaemon(workspace, `unix:${workspace.socket}`);
    const client = await connectTo(t, workspace.socket);
    await client.begin(workspace);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { capabilities: {} } });
    const message = `Content-Length: ${body.length}\r\n\r\n${body}`;
    const breakOff = async (bytes) => {
        const socket = net.connect(workspace.socket);
        await once(socket, 'connect');
        await new Promise((resolve) => socket.write(message.slice(0, bytes), resolve));
        socket.destroy();
    };
    for (let i = 0; i < 10; ++i) {
        const cuts = Array.from({ length: 20 }, (_, j) => ((i * 20 + j) % message.length) + 1);
        await Promise.all(cuts.map(breakOff));
    }
    await client.untilStatus('one client', ({ clients }) => clients === 1);
});

test('--connect starts the daemon, status tells of it, stop ends it', async (t) => {
    const workspace = new Workspace(t);
    workspace.write('.heddle/traces/bank.std', bankRun());
    const where = `unix:${workspace.socket}`;
    await assert.rejects(workspace.heddle('status', '--to', where), { code: 2, stderr: /no daemon is there/ });
    const first = startStdio(workspace, '--connect', '--to', where);
    await first.begin(workspace);
    workspace.beforeRemoval(() => workspace.heddle('stop', '--to', where).catch(() => {}));
    await first.published(workspace.uri('bank.cpp'), 2);
    const second = startStdio(workspace, '--connect', '--to', where);
    await second.begin(workspace);
    const { process: daemon } = await first.execute('heddle.status');
    assert.equal((await second.execute('heddle.status')).process, daemon);

    await first.leave();
    assert.equal(await first.exitCode, 0);
    await second.untilStatus('the first to be gone', ({ clients }) => clients === 1);
    assert.match(await workspace.heddle('status', '--to', where), /1 client,.*\n.*: 1 trace, 1 race,/);
    const status = JSON.parse(await workspace.heddle('status', '--to', where, '--json'));
    assert.equal(status.process, daemon);
    assert.equal(status.clients, 1);
    await workspace.heddle('stop', '--to', where);
    await second.exitCode;
    await assert.rejects(workspace.heddle('status', '--to', where), { code: 2 });
});

test('who comes when a daemon is just dying gets its successor', async (t) => {
    const workspace = new Workspace(t);
    const where = `unix:${workspace.socket}`;
    const dying = net.createServer((socket) => {
        dying.close();
        socket.destroy();
    });
    dying.listen(workspace.socket);
    await once(dying, 'listening');
    workspace.beforeRemoval(() => workspace.heddle('stop', '--to', where).catch(() => {}));
    const client = startStdio(workspace, '--connect', '--to', where);
    const { serverInfo } = await client.begin(workspace);
    assert.equal(serverInfo.name, 'heddle');
});

test('TCP needs the token that the daemon printed', async (t) => {
    const workspace = new Workspace(t);
    const { lines } = await startDaemon(workspace, 'tcp:127.0.0.1:0');
    const port = Number(/^listening on tcp:127\.0\.0\.1:(\d+)$/.exec(lines[0])[1]);
    const token = /^token (\S+)$/.exec(lines[1])[1];
    const to = { host: '127.0.0.1', port };
    for (const initializationOptions of [undefined, { token: `${token}x` }, { token: token.slice(1) }]) {
        const stranger = await connectTo(t, to);
        const begun = stranger.initialize(workspace, everything, { initializationOptions });
        await assert.rejects(begun, { code: -32803 });
        await stranger.closed;
    }
    const client = await connectTo(t, to);
    const { serverInfo } = await client.begin(workspace, everything, { initializationOptions: { token } });
    assert.equal(serverInfo.name, 'heddle');
});

test('TCP is not offered to other machines', async (t) => {
    const workspace = new Workspace(t);
    await assert.rejects(workspace.heddle('lsp', '--listen', 'tcp:0.0.0.0:0'), { code: 2, stderr: /outside/ });
});

test('a token in the environment is for TCP; a Unix socket needs none', async (t) => {
    const workspace = new Workspace(t);
    workspace.environment.HEDDLE_TOKEN = 'secret';
    await startDaemon(workspace, `unix:${workspace.socket}`);
    const client = await connectTo(t, workspace.socket);
    const { serverInfo } = await client.begin(workspace);
    assert.equal(serverInfo.name, 'heddle');
    const { lines } = await startDaemon(workspace, 'tcp:127.0.0.1:0');
    const port = Number(/:(\d+)$/.exec(lines[0])[1]);
    const stranger = await connectTo(t, { host: '127.0.0.1', port });
    await assert.rejects(stranger.initialize(workspace), { code: -32803 });
    assert.match(await workspace.heddle('status', '--to', `tcp:127.0.0.1:${port}`), /0 clients/);
});

test('a folder is the same with a slash behind it', async (t) => {
    const workspace = new Workspace(t);
    await startDaemon(workspace, `unix:${workspace.socket}`);
    const client = await connectTo(t, workspace.socket);
    await client.begin(workspace);
    const other = await connectTo(t, workspace.socket);
    await other.begin(workspace);
    await other.notify('workspace/didChangeWorkspaceFolders', {
        event: { added: [{ uri: `${workspace.uri()}/`, name: 'again' }], removed: [] },
    });
    workspace.write('.heddle/traces/bank.std', bankRun());
    await other.published(workspace.uri('bank.cpp'), 2);
    const { workspaces } = await other.execute('heddle.status');
    assert.deepEqual(workspaces.map(({ folder }) => folder), [workspace.folder]);
});
