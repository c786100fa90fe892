// Whatever happens to trace files, the daemon keeps serving, and shows what the files that are there say.
import assert from 'node:assert/strict';
import {
    closeSync,
    mkdirSync,
    openSync,
    rmSync,
    rmdirSync,
    symlinkSync,
    truncateSync,
    writeFileSync,
    writeSync,
} from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { startStdio } from './checked_client.mjs';
import { Workspace, bankRun } from './workspace.mjs';

async function racing(t, name = 'bank.std') {
    const workspace = new Workspace(t);
    const client = startStdio(workspace);
    await client.begin(workspace);
    const uri = workspace.uri('bank.cpp');
    const trace = path.join(workspace.traces, name);
    if (name.endsWith('.htr')) {
        writeFileSync(path.join(workspace.home, 'bank.std'), bankRun());
        await workspace.heddle('convert', path.join(workspace.home, 'bank.std'), trace);
    } else {
        writeFileSync(trace, bankRun());
    }
    await client.published(uri, 2);
    return { workspace, client, uri, trace };
}

test('a trace that holds nothing yet is no reason for a warning', async (t) => {
    const workspace = new Workspace(t);
    const client = startStdio(workspace);
    await client.begin(workspace);
    const trace = openSync(path.join(workspace.traces, 'bank.std'), 'w');
    await client.untilStatus('the trace', ({ workspaces: [one] }) => one.traces === 1 && one.analysing === 0);
    writeSync(trace, bankRun());
    closeSync(trace);
    await client.published(workspace.uri('bank.cpp'), 2);
    assert.deepEqual(client.of('window/showMessage'), []);
});

test('a trace is replaced', async (t) => {
    const { workspace, client, uri } = await racing(t);
    workspace.replaceTrace('bank.std', bankRun({ locked: true }));
    await client.published(uri, 0);
    workspace.replaceTrace('bank.std', bankRun());
    await client.published(uri, 2);
});

test('a trace is deleted', async (t) => {
    const { client, uri, trace } = await racing(t);
    rmSync(trace);
    await client.published(uri, 0);
    writeFileSync(trace, bankRun());
    await client.published(uri, 2);
});

test('a trace is cut to nothing', async (t) => {
    const { client, uri, trace } = await racing(t);
    truncateSync(trace, 0);
    await client.published(uri, 0);
    writeFileSync(trace, bankRun());
    await client.published(uri, 2);
});

test('a binary trace is damaged', async (t) => {
    const { client, uri, trace } = await racing(t, 'bank.htr');
    writeFileSync(trace, 'this was a trace once');
    await client.published(uri, 0);
    const told = await client.until('the damage', () => client.of('window/showMessage')[0]);
    assert.match(told.message, /bank\.htr/);
});

test('a trace becomes a directory, and a trace again', async (t) => {
    const { client, uri, trace } = await racing(t);
    rmSync(trace);
    mkdirSync(trace);
    await client.published(uri, 0);
    rmdirSync(trace);
    writeFileSync(trace, bankRun());
    await client.published(uri, 2);
});

test('a trace becomes a link to itself', async (t) => {
    const { client, uri, trace } = await racing(t);
    rmSync(trace);
    symlinkSync(trace, trace);
    await client.published(uri, 0);
});

test('the folder of the traces goes and comes back', async (t) => {
    const { workspace, client, uri, trace } = await racing(t);
    rmSync(workspace.path('.heddle'), { recursive: true });
    await client.published(uri, 0);
    mkdirSync(workspace.traces, { recursive: true });
    writeFileSync(trace, bankRun());
    await client.published(uri, 2);
});

test('the same race in two runs is one, until both are corrected', async (t) => {
    const { workspace, client, uri } = await racing(t);
    workspace.write('.heddle/traces/again.std', bankRun());
    await client.untilAnalysed('both runs', ({ traces }) => traces === 2);
    assert.equal((await client.published(uri, 2)).length, 2);
    workspace.write('.heddle/traces/again.std', bankRun({ locked: true }));
    await client.execute('heddle.status');
    await client.published(uri, 2);
    workspace.write('.heddle/traces/bank.std', bankRun({ locked: true }));
    await client.published(uri, 0);
});

test('a thousand traces that cannot be read are not a thousand messages', async (t) => {
    const { workspace, client, uri } = await racing(t);
    for (let i = 0; i < 1000; ++i) workspace.write(`.heddle/traces/broken${i}.htr`, 'this was a trace once');
    await client.untilAnalysed('all', ({ traces }) => traces === 1001);
    assert.equal(client.of('window/showMessage').length, 6);
    assert.equal((await client.published(uri, 2)).length, 2);
    const later = startStdio(workspace);
    await later.begin(workspace);
    await later.untilAnalysed('all', ({ traces }) => traces === 1001);
    assert.equal(later.of('window/showMessage').length, 6);
});
