// From a clean run to a diagnostic, its hover, its witness, and back, over what the daemon pushes.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { everything, startStdio } from './checked_client.mjs';
import { Workspace, bank, bankRun, bonusLine, depositLine, depositRange } from './workspace.mjs';

/** A client that has the two diagnostics of a racy run. */
async function racing(t, capabilities = everything) {
    const workspace = new Workspace(t);
    const client = startStdio(workspace);
    await client.begin(workspace, capabilities);
    const uri = workspace.uri('bank.cpp');
    await client.open(uri, bank);
    workspace.write('.heddle/traces/bank.std', bankRun());
    return { workspace, client, uri, diagnostics: await client.published(uri, 2) };
}

test('a race is shown at both of its ends, and goes with the next run', async (t) => {
    const { workspace, client, uri, diagnostics } = await racing(t);
    assert.deepEqual(
        diagnostics.map(({ range }) => range.start.line),
        [depositLine, bonusLine],
    );
    const [here] = diagnostics;
    assert.deepEqual(here.range, depositRange);
    assert.equal(here.severity, 1);
    assert.equal(here.source, 'heddle');
    assert.equal(here.code, 'race');
    assert.match(here.message, /^Data race on 'account\.balance': this write by .* bank\.cpp:6 in pay_bonus/);
    assert.equal(client.diagnostics.get(uri).version, 1);
    assert.ok(here.relatedInformation.length >= 2);
    here.relatedInformation.forEach(({ message }, step) => assert.ok(message.startsWith(`${step + 1}/`), message));

    workspace.write('.heddle/traces/bank.std', bankRun({ locked: true }));
    await client.published(uri, 0);
    await client.leave();
    assert.equal(await client.exitCode, 0);
});

test('a client that shows no related information reads the steps in the message', async (t) => {
    const capabilities = structuredClone(everything);
    delete capabilities.textDocument.publishDiagnostics;
    const { client, uri, diagnostics } = await racing(t, capabilities);
    assert.equal(diagnostics[0].relatedInformation, undefined);
    assert.equal(diagnostics[0].data, undefined);
    assert.equal(client.diagnostics.get(uri).version, undefined);
    assert.match(diagnostics[0].message, /\n1\/\d+ /);
    assert.match(diagnostics[0].message, /\(bank\.cpp:3 in deposit\)/);
});

test('hover shows the schedule, as Markdown or as plain text', async (t) => {
    const { client, uri } = await racing(t);
    const at = { textDocument: { uri }, position: depositRange.start };
    const markdown = await client.request('textDocument/hover', at);
    assert.equal(markdown.contents.kind, 'markdown');
    assert.deepEqual(markdown.range, depositRange);
    assert.match(markdown.contents.value, /^\|.*\|\n\|[ :|-]+\|\n/m, 'a table');
    const elsewhere = { textDocument: { uri }, position: { line: 0, character: 0 } };
    assert.equal(await client.request('textDocument/hover', elsewhere), null);

    const capabilities = structuredClone(everything);
    capabilities.textDocument.hover.contentFormat = ['plaintext'];
    const plain = await racing(t, capabilities);
    const text = await plain.client.request('textDocument/hover', { ...at, textDocument: { uri: plain.uri } });
    assert.equal(text.contents.kind, 'plaintext');
    assert.doesNotMatch(text.contents.value, /\*\*|^\|[ :|-]+\|$/m);
});

test('the witness is opened as a document, and returned', async (t) => {
    const { client, uri, diagnostics } = await racing(t);
    const [diagnostic] = diagnostics;
    const actions = await client.request('textDocument/codeAction', {
        textDocument: { uri },
        range: diagnostic.range,
        context: { diagnostics: [diagnostic] },
    });
    const action = actions.find(({ command }) => command.command === 'heddle.showWitness');
    assert.equal(action.kind, 'quickfix');
    assert.deepEqual(action.diagnostics, [diagnostic]);
    const shown = await client.execute(action.command.command, ...action.command.arguments);
    assert.ok(shown.witness.steps.length > 0);
    assert.equal(shown.witness.story.rows.filter(({ marked }) => marked).length, 2);
    const [document] = client.of('window/showDocument');
    assert.equal(document.uri, shown.document);
    assert.equal(readFileSync(fileURLToPath(document.uri), 'utf8'), shown.markdown);
    await assert.rejects(client.execute('heddle.showWitness', { bug: 'never heard of' }), { code: -32803 });
});

test('a client that cannot open the schedule after all gets it as a message', async (t) => {
    const { client, diagnostics } = await racing(t);
    const refuse = [() => ({ success: false }), () => Promise.reject(new Error('there is no such editor'))];
    for (const [i, answer] of refuse.entries()) {
        client.connection.onRequest('window/showDocument', answer);
        await client.execute('heddle.showWitness', { bug: diagnostics[0].data.bug });
        const told = await client.until('the schedule', () => client.of('window/showMessage')[i]);
        assert.match(told.message, /^Data race on 'account\.balance'/);
    }
});

test('a finding that is suppressed is gone, and stays so', async (t) => {
    const { workspace, client, uri, diagnostics } = await racing(t);
    const { file, line } = await client.execute('heddle.suppress', { bug: diagnostics[0].data.bug });
    await client.published(uri, 0);
    assert.ok(existsSync(file));
    assert.match(readFileSync(file, 'utf8'), new RegExp(`^${line}$`, 'm'));
    const later = startStdio(workspace);
    await later.begin(workspace);
    const { workspaces } = await later.untilStatus('the trace', (status) => status.workspaces[0].hidden === 1);
    assert.equal(workspaces[0].races, 0);
    assert.equal(later.diagnostics.size, 0);
});

test('what is cleared comes back when it is analysed', async (t) => {
    const { client, uri } = await racing(t);
    await client.execute('heddle.clear');
    await client.published(uri, 0);
    await client.execute('heddle.analyseNow');
    await client.published(uri, 2);
});

test('commands instead of actions for a client that knows only those', async (t) => {
    const capabilities = structuredClone(everything);
    delete capabilities.textDocument.codeAction;
    const { client, uri } = await racing(t, capabilities);
    const actions = await client.request('textDocument/codeAction', {
        textDocument: { uri },
        range: depositRange,
        context: { diagnostics: [] },
    });
    assert.deepEqual(
        actions.map(({ command }) => command),
        ['heddle.showWitness', 'heddle.suppress'],
    );
});

test('data of a diagnostic that another server made is none of ours', async (t) => {
    const { client, uri, diagnostics } = await racing(t);
    for (const data of [{ bug: 5 }, { bug: null }, [], 'bug', null]) {
        const actions = await client.request('textDocument/codeAction', {
            textDocument: { uri },
            range: depositRange,
            context: { diagnostics: [{ ...diagnostics[0], data }] },
        });
        assert.ok(actions.length >= 3); // the schedule, two ways to suppress, and fixes
        assert.ok(actions.every((action) => action.diagnostics === undefined));
    }
});
