// Diagnostics for clients that ask for them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import protocol from 'vscode-languageserver-protocol/node.js';

import { everything, startStdio } from './checked_client.mjs';
import { Workspace, bank, bankRun } from './workspace.mjs';

const pulling = {
    ...everything,
    textDocument: { ...everything.textDocument, diagnostic: { relatedDocumentSupport: true } },
    workspace: { ...everything.workspace, diagnostics: { refreshSupport: true } },
};

async function start(t) {
    const workspace = new Workspace(t);
    const client = startStdio(workspace);
    const { capabilities } = await client.begin(workspace, pulling);
    assert.ok(capabilities.diagnosticProvider.workspaceDiagnostics);
    const uri = workspace.uri('bank.cpp');
    await client.open(uri, bank);
    return { workspace, client, uri };
}

function refreshed(client) {
    return client.of('workspace/diagnostic/refresh').length;
}

/**
 * The document's report, once it has `count` diagnostics and all is known of them; asked for as often as the daemon says
 * that it should be.
 */
async function pulled(client, uri, count) {
    for (;;) {
        await client.untilIdle();
        const before = refreshed(client);
        const report = await client.request('textDocument/diagnostic', { textDocument: { uri } });
        if (report.items.length === count) return report;
        await client.until('a refresh', () => refreshed(client) > before);
    }
}

test('a document is pulled, again when the daemon says so', async (t) => {
    const { workspace, client, uri } = await start(t);
    await pulled(client, uri, 0);
    workspace.write('.heddle/traces/bank.std', bankRun());
    const report = await pulled(client, uri, 2);
    const again = await client.request('textDocument/diagnostic', {
        textDocument: { uri },
        previousResultId: report.resultId,
    });
    assert.deepEqual(again, { kind: 'unchanged', resultId: report.resultId });
    workspace.write('.heddle/traces/bank.std', bankRun({ locked: true }));
    await pulled(client, uri, 0);
    assert.equal(client.diagnostics.size, 0, 'nothing is pushed to a client that pulls');
});

test('a pull of the whole workspace is held until there is something new', async (t) => {
    const { workspace, client, uri } = await start(t);
    workspace.write('.heddle/traces/bank.std', bankRun());
    await pulled(client, uri, 2);
    const first = await client.request('workspace/diagnostic', { previousResultIds: [] });
    const known = first.items.find((item) => item.uri === uri);
    assert.equal(known.items.length, 2);
    assert.equal(known.version, 1);

    let answered = false;
    const held = client
        .request('workspace/diagnostic', {
            previousResultIds: first.items.map((item) => ({ uri: item.uri, value: item.resultId })),
        })
        .finally(() => (answered = true));
    await client.execute('heddle.status');
    assert.equal(answered, false);
    workspace.write('.heddle/traces/bank.std', bankRun({ locked: true }));
    const second = await held;
    assert.deepEqual(second.items.find((item) => item.uri === uri).items, []);
});

test('a pull that is held can be cancelled', async (t) => {
    const { workspace, client, uri } = await start(t);
    workspace.write('.heddle/traces/bank.std', bankRun());
    await pulled(client, uri, 2);
    const { items } = await client.request('workspace/diagnostic', { previousResultIds: [] });
    const cancel = new protocol.CancellationTokenSource();
    const held = client.request(
        'workspace/diagnostic',
        { previousResultIds: items.map((item) => ({ uri: item.uri, value: item.resultId })) },
        cancel.token,
    );
    const refused = assert.rejects(held, { code: -32800 });
    cancel.cancel();
    await refused;
    assert.equal((await pulled(client, uri, 2)).items.length, 2);
});

test('a pull that is held is answered when another comes, and when the session ends', async (t) => {
    const { workspace, client, uri } = await start(t);
    workspace.write('.heddle/traces/bank.std', bankRun());
    await pulled(client, uri, 2);
    const { items } = await client.request('workspace/diagnostic', { previousResultIds: [] });
    const previousResultIds = items.map((item) => ({ uri: item.uri, value: item.resultId }));
    const refused = () =>
        assert.rejects(client.request('workspace/diagnostic', { previousResultIds }), {
            code: -32802,
            data: { retriggerRequest: false },
        });
    const first = refused();
    const second = refused();
    await first;
    await client.request('shutdown');
    await second;
});
