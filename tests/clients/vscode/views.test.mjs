// What the views of editors show: a status line, a list of findings, a drawing of a witness.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { everything, startStdio } from './checked_client.mjs';
import { Workspace, bank, bankRun, bonusLine, depositLine, depositRange } from './workspace.mjs';

const asking = { initializationOptions: { status: true } };

test('a client that asks for it is told the status whenever it changes', async (t) => {
    const workspace = new Workspace(t);
    const client = startStdio(workspace);
    await client.begin(workspace, everything, asking);
    const told = () => client.of('heddle/status');
    await client.until('the first status', () => told().at(-1)?.text === 'no traces');
    workspace.write('.heddle/traces/bank.std', bankRun());
    const { state, races, traces, percent } = await client.until('the race', () =>
        told().find(({ text }) => text === '1 race'),
    );
    assert.deepEqual([state, races, traces, typeof percent], ['idle', 1, 1, 'number']);
    workspace.replaceTrace('bank.std', bankRun({ locked: true }));
    await client.until('no race', () => told().at(-1).text === 'no findings');
    told().reduce((before, after) => {
        assert.notDeepEqual(before, after, 'what has not changed is not told again');
        return after;
    });
});

test('recording is part of the status', async (t) => {
    const workspace = new Workspace(t);
    const client = startStdio(workspace);
    const heddle = { testCommand: ['/bin/true'] };
    await client.begin(workspace, everything, { initializationOptions: { status: true, heddle } });
    await client.execute('heddle.recordTests');
    await client.until('the recording', () => client.of('heddle/status').some(({ state }) => state === 'recording'));
    await client.until('its end', () => client.of('heddle/status').at(-1).state === 'idle');
});

test('other clients are not told the status', async (t) => {
    const workspace = new Workspace(t);
    const client = startStdio(workspace);
    await client.begin(workspace);
    workspace.write('.heddle/traces/bank.std', bankRun());
    await client.published(workspace.uri('bank.cpp'), 2);
    assert.deepEqual(client.of('heddle/status'), []);
});

test('what a comment hides is neither counted nor listed, and comes back when it goes', async (t) => {
    const workspace = new Workspace(t);
    workspace.write('.heddle/traces/bank.std', bankRun());
    const client = startStdio(workspace);
    await client.begin(workspace, everything, asking);
    const uri = workspace.uri('bank.cpp');
    await client.published(uri, 2);
    const told = () => client.of('heddle/status').at(-1);
    const text = bank.replace('+= 25;', '+= 25; // heddle: ignore race');
    await client.open(uri, text);
    await client.until('no race', () => told().text === 'no findings' && told().hidden === 1);
    assert.deepEqual(await client.execute('heddle.findings'), []);
    await client.notify('textDocument/didClose', { textDocument: { uri } });
    await client.until('the race', () => told().text === '1 race' && told().hidden === 0);
    assert.equal((await client.execute('heddle.findings')).length, 1);
});

test('the findings are listed with their state and places', async (t) => {
    const workspace = new Workspace(t);
    workspace.write('.heddle/traces/bank.std', bankRun());
    const client = startStdio(workspace);
    const { capabilities } = await client.begin(workspace);
    assert.ok(capabilities.executeCommandProvider.commands.includes('heddle.findings'));
    const [diagnostic] = await client.published(workspace.uri('bank.cpp'), 2);
    const [finding, ...others] = await client.execute('heddle.findings');
    assert.deepEqual(others, []);
    assert.equal(finding.bug, diagnostic.data.bug);
    assert.deepEqual(
        [finding.kind, finding.state, finding.variable, finding.witness],
        ['race', 'witnessed', 'account.balance', true],
    );
    assert.equal(finding.trace, workspace.path('.heddle/traces/bank.std'));
    const places = finding.places.map(({ uri, line, operation }) => [uri, line, operation]);
    assert.deepEqual(places, [
        [workspace.uri('bank.cpp'), depositLine + 1, 'write'],
        [workspace.uri('bank.cpp'), bonusLine + 1, 'write'],
    ]);
    assert.deepEqual(finding.places[0].range, depositRange);
    await client.execute('heddle.suppress', { bug: finding.bug });
    assert.deepEqual(await client.execute('heddle.findings'), []);
});

test('a client that draws witnesses itself gets the answer alone', async (t) => {
    const workspace = new Workspace(t);
    workspace.write('.heddle/traces/bank.std', bankRun());
    const client = startStdio(workspace);
    await client.begin(workspace);
    const [{ data }] = await client.published(workspace.uri('bank.cpp'), 2);
    const shown = await client.execute('heddle.showWitness', { bug: data.bug, show: false });
    assert.deepEqual([shown.folder, shown.state, shown.document], [workspace.folder, 'witnessed', undefined]);
    assert.equal(shown.headline, "data race on 'account.balance'");
    assert.equal(shown.witness.observed.shown, shown.witness.story.shown);
    for (const row of shown.witness.story.rows) assert.ok('left_out' in row || (row.op && row.held && row.held_after));
    assert.deepEqual([client.of('window/showDocument'), client.of('window/showMessage')], [[], []]);
});

test('the steps of a witness are where the text is now', async (t) => {
    const workspace = new Workspace(t);
    workspace.write('.heddle/traces/bank.std', bankRun());
    const client = startStdio(workspace);
    await client.begin(workspace);
    const uri = workspace.uri('bank.cpp');
    await client.open(uri, bank);
    const [{ data }] = await client.published(uri, 2);
    const lines = async () => {
        const { witness } = await client.execute('heddle.showWitness', { bug: data.bug, show: false });
        const inBank = (story) => story.rows.filter(({ file }) => /bank.cpp$/.test(file)).map(({ line }) => line);
        return [inBank(witness.story), inBank(witness.observed)];
    };
    const asRecorded = [depositLine + 1, bonusLine + 1];
    assert.deepEqual(await lines(), [asRecorded, asRecorded]);
    const start = { line: bonusLine, character: 0 };
    await client.notify('textDocument/didChange', {
        textDocument: { uri, version: 2 },
        contentChanges: [{ range: { start, end: start }, text: '\n\n' }],
    });
    const now = [depositLine + 1, bonusLine + 3];
    assert.deepEqual(await lines(), [now, now]);
});
