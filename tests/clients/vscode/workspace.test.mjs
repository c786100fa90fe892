// Folders that come and go, settings that change, and commands that take their time.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { test } from 'node:test';

import { everything, startStdio } from './checked_client.mjs';
import { Workspace, bankRun } from './workspace.mjs';

test('folders are added and removed while the daemon runs', async (t) => {
    const workspace = new Workspace(t);
    const other = new Workspace(t);
    other.write('.heddle/traces/bank.std', bankRun());
    const client = startStdio(workspace);
    const { capabilities } = await client.begin(workspace);
    assert.ok(capabilities.workspace.workspaceFolders.supported);
    assert.ok(capabilities.workspace.workspaceFolders.changeNotifications);
    const folder = { uri: other.uri(), name: 'other' };
    await client.notify('workspace/didChangeWorkspaceFolders', { event: { added: [folder], removed: [] } });
    await client.published(other.uri('bank.cpp'), 2);
    await client.notify('workspace/didChangeWorkspaceFolders', { event: { added: [], removed: [folder] } });
    await client.published(other.uri('bank.cpp'), 0);
    assert.equal(client.diagnostics.has(workspace.uri('bank.cpp')), false);
});

test('a client that is asked for its settings changes them', async (t) => {
    const workspace = new Workspace(t);
    workspace.write('.heddle/traces/bank.std', bankRun());
    const client = startStdio(workspace);
    const asked = { configuration: true, didChangeConfiguration: { dynamicRegistration: true } };
    await client.begin(workspace, { ...everything, workspace: asked });
    const uri = workspace.uri('bank.cpp');
    await client.published(uri, 2);
    assert.equal(client.of('client/registerCapability')[0].registrations[0].method, 'workspace/didChangeConfiguration');

    client.settings = { properties: ['deadlock'] };
    await client.notify('workspace/didChangeConfiguration', { settings: null });
    await client.published(uri, 0);
    client.settings = null;
    await client.notify('workspace/didChangeConfiguration', { settings: null });
    await client.published(uri, 2);
});

test('a client that sends its settings changes them; a mistake in them is told by its name', async (t) => {
    const workspace = new Workspace(t);
    workspace.write('.heddle/traces/bank.std', bankRun());
    const client = startStdio(workspace);
    await client.begin(workspace);
    const uri = workspace.uri('bank.cpp');
    await client.published(uri, 2);
    await client.notify('workspace/didChangeConfiguration', {
        settings: { heddle: { witnessBudget: 'much', properties: ['deadlock'] } },
    });
    await client.published(uri, 0);
    const told = await client.until('the mistake', () => client.of('window/showMessage')[0]);
    assert.equal(told.type, 2);
    assert.match(told.message, /heddle\.witnessBudget/);
});

test('the traces of another folder are watched when the settings say so', async (t) => {
    const workspace = new Workspace(t);
    workspace.write('runs/bank.std', bankRun());
    const client = startStdio(workspace);
    await client.begin(workspace, everything, { initializationOptions: { heddle: { traces: ['runs'] } } });
    await client.published(workspace.uri('bank.cpp'), 2);
});

test('tests are recorded when the user asks, and the request tells how that went', async (t) => {
    const workspace = new Workspace(t);
    const client = startStdio(workspace);
    await client.begin(workspace);
    await assert.rejects(client.execute('heddle.recordTests'), { code: -32803, message: /testCommand/ });
    await client.notify('workspace/didChangeConfiguration', {
        settings: { heddle: { testCommand: ['/bin/sh', '-c', 'echo ran; exit 3'] } },
    });
    const { status, output } = await client.execute('heddle.recordTests');
    assert.equal(status, 3);
    assert.match(output, /^ran$/m);
    const progress = client.of('$/progress').map(({ value }) => value.kind);
    assert.deepEqual([progress[0], progress.at(-1)], ['begin', 'end']);
});

test('a recording ends when its progress is cancelled', async (t) => {
    const workspace = new Workspace(t);
    const client = startStdio(workspace);
    const testCommand = ['/bin/sh', '-c', 'exec tail -f /dev/null'];
    await client.begin(workspace, everything, { initializationOptions: { heddle: { testCommand } } });
    const recording = client.execute('heddle.recordTests');
    const begun = await client.until('progress', () =>
        client.of('$/progress').find(({ value }) => value.kind === 'begin'),
    );
    assert.ok(begun.value.cancellable);
    await client.notify('window/workDoneProgress/cancel', { token: begun.token });
    const { status } = await recording;
    assert.notEqual(status, 0);
    assert.deepEqual(client.of('window/showMessage'), [], 'who cancelled it knows that');
});

test('what the folder itself wants to run is not run without consent', async (t) => {
    const workspace = new Workspace(t);
    workspace.write('.heddle/config.json', JSON.stringify({ testCommand: ['/usr/bin/touch', 'ran'] }));
    const client = startStdio(workspace);
    const { window, ...rest } = everything;
    assert.ok(window);
    await client.begin(workspace, rest);
    await assert.rejects(client.execute('heddle.recordTests'), { code: -32803, message: /config\.json/ });
    assert.equal(existsSync(workspace.path('ran')), false);
});

test('it is run when the user consents, and only then', async (t) => {
    const workspace = new Workspace(t);
    workspace.write('.heddle/config.json', JSON.stringify({ testCommand: ['/usr/bin/touch', 'ran'] }));
    const client = startStdio(workspace);
    await client.begin(workspace);
    const answers = [null, { title: 5 }, { title: 'Do not run' }, { title: 'Run' }];
    client.connection.onRequest('window/showMessageRequest', () => answers.shift());
    while (answers.length > 1) {
        await assert.rejects(client.execute('heddle.recordTests'), { code: -32803 });
        assert.equal(existsSync(workspace.path('ran')), false);
    }
    assert.equal((await client.execute('heddle.recordTests')).status, 0);
    assert.ok(existsSync(workspace.path('ran')));
    assert.match(client.of('window/showMessageRequest')[0].message, /touch ran/);
});

test('the log has what logLevel asks for', async (t) => {
    const workspace = new Workspace(t);
    const log = workspace.path('log');
    const client = startStdio(workspace, '--log', log);
    await client.begin(workspace, everything, { initializationOptions: { heddle: { logLevel: 'error' } } });
    await client.execute('heddle.status');
    const before = readFileSync(log, 'utf8');
    workspace.replaceTrace('bad.htr', 'no trace');
    await client.until('a word about the trace', () => client.of('window/showMessage').length > 0);
    assert.equal(readFileSync(log, 'utf8'), before);
    await client.notify('workspace/didChangeConfiguration', { settings: { heddle: { logLevel: 'info' } } });
    await client.leave();
    assert.equal(await client.exitCode, 0);
    assert.match(readFileSync(log, 'utf8').slice(before.length), /left/);
});

test("the workspace's own files count as soon as they change, whoever writes them", async (t) => {
    const workspace = new Workspace(t);
    workspace.write('.heddle/traces/bank.std', bankRun());
    const client = startStdio(workspace);
    await client.begin(workspace);
    const uri = workspace.uri('bank.cpp');
    await client.published(uri, 2);

    workspace.write('.heddle/suppressions', 'race:deposit\n');
    await client.published(uri, 0);
    rmSync(workspace.path('.heddle/suppressions'));
    await client.published(uri, 2);
    workspace.write('.heddle/config.json', '{ "properties": ["deadlock"] }');
    await client.published(uri, 0);
    workspace.write('.heddle/config.json', '{ "suppressions": "tsan.supp" }');
    await client.published(uri, 2);
    workspace.write('tsan.supp', 'race:deposit\n');
    await client.published(uri, 0);

    workspace.write('.heddle/config.json', '{ "propertys": ["race"] }');
    const told = await client.until('the mistake', () => client.of('window/showMessage')[0]);
    assert.match(told.message, /config\.json: heddle\.propertys: is not a setting/);
    await client.published(uri, 2);
});

test('traces may lie beside the settings', async (t) => {
    const workspace = new Workspace(t);
    workspace.write('.heddle/bank.std', bankRun());
    const client = startStdio(workspace);
    await client.begin(workspace);
    await client.untilAnalysed('no trace', ({ traces }) => traces === 0);
    workspace.write('.heddle/config.json', '{ "traces": [".heddle/"] }');
    await client.published(workspace.uri('bank.cpp'), 2);
    workspace.write('.heddle/config.json', '{}');
    await client.published(workspace.uri('bank.cpp'), 0);
});

test('suppressions that cannot be read are told of, those that are not there are not', async (t) => {
    const workspace = new Workspace(t);
    workspace.write('.heddle/traces/bank.std', bankRun());
    const told = async () => {
        const client = startStdio(workspace);
        await client.begin(workspace);
        await client.published(workspace.uri('bank.cpp'), 2);
        return client.of('window/showMessage').map(({ message }) => message);
    };
    assert.deepEqual(await told(), []);
    mkdirSync(workspace.path('.heddle/suppressions'));
    const [message, ...more] = await told();
    assert.match(message, /\.heddle\/suppressions: is not a file/);
    assert.deepEqual(more, []);
});
