// While a large trace is analysed: its progress, cancelling it, and leaving.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';

import { everything, startStdio } from './checked_client.mjs';
import { Workspace, bank, bankRun, depositLine } from './workspace.mjs';

/** A client at the moment when the daemon tells that it works on a trace that takes it several seconds. */
async function whileAnalysing(t) {
    const workspace = new Workspace(t);
    await workspace.heddle('generate', '--preset', 'realistic', '--events', '3000000', '-o', path.join(workspace.traces, 'large.htr'));
    const client = startStdio(workspace);
    await client.begin(workspace, everything);
    const begun = await client.until('progress', () =>
        client.of('$/progress').find(({ value }) => value.kind === 'begin'),
    );
    return { workspace, client, begun };
}

test('an analysis ends when its progress is cancelled, and the daemon serves on', async (t) => {
    const { client, begun } = await whileAnalysing(t);
    assert.ok(begun.value.cancellable);
    await client.notify('window/workDoneProgress/cancel', { token: begun.token });
    await client.until('the end of the progress', () =>
        client.of('$/progress').find(({ token, value }) => token === begun.token && value.kind === 'end'),
    );
    await client.untilIdle();
    const percents = client.of('$/progress').map(({ value }) => value.percentage).filter((percent) => percent !== undefined);
    assert.deepEqual(percents, [...percents].sort((a, b) => a - b), 'progress goes forward');
});

test('the daemon ends at once, whatever it is doing', async (t) => {
    const { client } = await whileAnalysing(t);
    const begun = performance.now();
    await client.leave();
    assert.equal(await client.exitCode, 0);
    const seconds = (performance.now() - begun) / 1000;
    assert.ok(seconds < 20, `${seconds} s`); // the analysis takes minutes
});

test('a source file that is far too large to be one does not keep anybody waiting', async (t) => {
    const workspace = new Workspace(t);
    workspace.write('bank.cpp', bank.repeat(400_000));
    const variables = Array.from({ length: 300 }, (_, i) => `account.balance${i}`);
    workspace.write('.heddle/traces/bank.std', variables.map((variable) => bankRun({ variable })).join(''));
    const client = startStdio(workspace);
    await client.begin(workspace, everything);
    await client.untilAnalysed('the run', ({ races }) => races > 0);
    const begun = performance.now();
    const position = { line: depositLine, character: 5 };
    await client.request('textDocument/hover', { textDocument: { uri: workspace.uri('bank.cpp') }, position });
    const seconds = (performance.now() - begun) / 1000;
    assert.ok(seconds < 1, `${seconds} s`); // reading it for each finding would take half a minute
});
