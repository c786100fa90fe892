// What is shown beside the text: highlights, references, lenses and hints, for clients that can show them.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { everything, startStdio } from './client.mjs';
import { Workspace } from './workspace.mjs';

const source = [
    'struct Account { long balance; Mutex mu; };',
    'Account account;',
    'void deposit() {',
    '    account.balance += 50;',
    '}',
    'void pay_bonus() {',
    '    account.balance += 25;',
    '}',
    'TEST(Bank, pays) {',
    '    run();',
    '}',
    '',
].join('\n');

/** Deposits hold the lock, three times; the bonus does not. */
const run = [
    'T0|fork(T1)|main@main.cpp:1:1',
    'T0|fork(T2)|main@main.cpp:2:1',
    ...[1, 2, 3].flatMap((value) => [
        'T1|acq(account.mu)|deposit@bank.cpp:3:1',
        `T1|w(account.balance)|deposit@bank.cpp:4:21|=${value}`,
        'T1|rel(account.mu)|deposit@bank.cpp:5:1',
    ]),
    'T2|w(account.balance)|pay_bonus@bank.cpp:7:21|=75',
    '',
].join('\n');

const range = (line) => ({ start: { line, character: 4 }, end: { line, character: 19 } });

const able = structuredClone(everything);
Object.assign(able.textDocument, { documentHighlight: {}, references: {}, codeLens: {}, inlayHint: {} });
Object.assign(able.workspace, { codeLens: { refreshSupport: true }, inlayHint: { refreshSupport: true } });

async function racing(t, capabilities) {
    const workspace = new Workspace(t);
    const client = startStdio(workspace);
    const { capabilities: offered } = await client.begin(workspace, capabilities);
    const uri = workspace.uri('bank.cpp');
    workspace.write('bank.cpp', source);
    await client.open(uri, source);
    workspace.write('.heddle/traces/bank.std', run);
    await client.published(uri, 2);
    return { client, uri, offered, textDocument: { uri } };
}

test('the other access is highlighted, and all recorded ones are references', async (t) => {
    const { client, uri, textDocument } = await racing(t, able);
    const position = { line: 3, character: 6 };
    const lit = await client.request('textDocument/documentHighlight', { textDocument, position });
    assert.deepEqual(lit, [
        { range: range(3), kind: 3 },
        { range: range(6), kind: 3 },
    ]);
    for (const from of [position, { line: 0, character: 24 }]) {
        const context = { includeDeclaration: false };
        const all = await client.request('textDocument/references', { textDocument, position: from, context });
        assert.deepEqual(
            all.map((one) => one.range),
            [range(3), range(6)],
        );
    }
    const { variables } = await client.request('workspace/executeCommand', {
        command: 'heddle.accesses',
        arguments: [{ uri, position }],
    });
    assert.equal(variables.length, 1);
    assert.deepEqual(
        variables[0].uses.map(({ function: name, count, locks }) => [name, count, locks]),
        [
            ['deposit', 3, ['account.mu']],
            ['pay_bonus', 1, []],
        ],
    );
});

test('functions with findings have a lens, declarations a hint', async (t) => {
    const { client, textDocument } = await racing(t, able);
    await client.until('a refresh', () => client.heard.some(({ method }) => method === 'workspace/codeLens/refresh'));
    const lenses = await client.request('textDocument/codeLens', { textDocument });
    assert.deepEqual(
        lenses.map((lens) => [lens.range.start.line, lens.command.title.split(' · ')[0]]),
        [
            [2, '1 race'],
            [5, '1 race'],
        ],
    );
    const whole = { start: { line: 0, character: 0 }, end: { line: 11, character: 0 } };
    const hints = await client.request('textDocument/inlayHint', { textDocument, range: whole });
    assert.deepEqual(
        hints.map(({ label, position }) => [label, position]),
        [['guarded by mu (3/4)', { line: 0, character: 29 }]],
    );
});

test('each test tells of a variable by its last run', async (t) => {
    const workspace = new Workspace(t);
    const textDocument = { uri: workspace.uri('bank.cpp') };
    const deposits = run.replace(/T2\|.*/, run.match(/T1\|acq[^]*?rel.*/)[0].replaceAll('T1', 'T2'));
    const of = (name, time) => `#! meta test ${name}\n#! meta start_time_unix_ns ${time}\n`;
    workspace.write('bank.cpp', source);
    workspace.write('.heddle/traces/deposits.std', of('Bank.deposits', 2) + deposits);
    workspace.write('.heddle/traces/older.std', of('Bank.deposits', 1) + deposits);
    workspace.write('.heddle/traces/pays.std', of('Bank.pays', 1) + run);
    const client = startStdio(workspace);
    await client.begin(workspace, able);
    await client.open(textDocument.uri, source);
    await client.published(textDocument.uri, 2);
    const whole = { start: { line: 0, character: 0 }, end: { line: 11, character: 0 } };
    const hints = await client.request('textDocument/inlayHint', { textDocument, range: whole });
    assert.deepEqual(
        hints.map(({ label }) => label),
        ['guarded by mu (7/8)'],
    );
    const { variables } = await client.execute('heddle.accesses', { variable: 'account.balance' });
    assert.deepEqual(
        variables.map(({ test: name, guarded, accesses }) => [name, guarded, accesses]),
        [
            ['Bank.deposits', 4, 4],
            ['Bank.pays', 3, 4],
        ],
    );
    const context = { includeDeclaration: false };
    const position = { line: 6, character: 6 }; // only one of the tests comes here
    const all = await client.request('textDocument/references', { textDocument, position, context });
    assert.deepEqual(
        all.map((one) => one.range),
        [range(3), range(6)],
    );
});

test('nothing of it is offered to a client that does not ask for it', async (t) => {
    const { offered } = await racing(t, everything);
    for (const provider of ['documentHighlight', 'references', 'inlayHint'])
        assert.equal(offered[`${provider}Provider`], undefined);
    assert.ok(offered.codeLensProvider, 'Neovim 0.7 does not say that it shows lenses');
});
