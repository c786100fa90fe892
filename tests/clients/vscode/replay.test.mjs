// A witness is replayed from the editor: the program is run when the person agrees, and the finding is confirmed.
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { everything, startStdio } from './checked_client.mjs';
import { Workspace } from './workspace.mjs';

const sample = fileURLToPath(new URL('../../samples/bank/bank.cpp', import.meta.url));

/** The sample, recorded; a client that sees its race, and the race's key. */
async function recorded(t) {
    const workspace = new Workspace(t);
    copyFileSync(sample, workspace.path('bank.cpp'));
    await workspace.run('g++', '-std=c++17', '-O1', '-g', '-fsanitize=thread', 'bank.cpp', '-o', 'bank');
    // Once in a while the race strikes while it is recorded: a wrong balance, status 1.
    await workspace.heddle('record', '--', './bank').catch((error) => assert.equal(error.code, 1));
    const client = startStdio(workspace);
    await client.begin(workspace, everything);
    await client.untilAnalysed('the race', ({ races }) => races > 0);
    const [race] = await client.execute('heddle.findings');
    assert.equal(race.state, 'witnessed');
    return { workspace, client, race };
}

test('a witness is replayed when the person agrees, and the finding is confirmed', async (t) => {
    const { client, race } = await recorded(t);
    const answers = [{ title: 'Do not run' }, { title: 'Run' }];
    client.connection.onRequest('window/showMessageRequest', () => answers.shift());
    await assert.rejects(client.execute('heddle.replay', { bug: race.bug }), { code: -32803, message: /not run/ });
    const { confirmed } = await client.execute('heddle.replay', { bug: race.bug });
    assert.equal(confirmed, true);
    assert.match(client.of('window/showMessageRequest')[0].message, /\.\/bank$/);
    const [again] = await client.execute('heddle.findings');
    assert.equal(again.state, 'confirmed', 'who hears of it finds it so in the list');

    await client.execute('heddle.replay', { bug: race.bug });
    assert.equal(client.of('window/showMessageRequest').length, 2, 'who agreed once is not asked again');
});

test('there is no replay of a finding that is gone, or of a run that nobody recorded', async (t) => {
    const { workspace, client } = await recorded(t);
    await assert.rejects(client.execute('heddle.replay', { bug: 'none' }), { code: -32803, message: /gone/ });
    workspace.replaceTrace('other.std', [
        'T0|fork(T1)|main@bank.cpp:1:1',
        'T1|w(x)|f@bank.cpp:8:10|=1',
        'T0|w(x)|main@bank.cpp:15:8|=2',
        '',
    ].join('\n'));
    await client.untilAnalysed('two races', ({ races }) => races === 2);
    const other = (await client.execute('heddle.findings')).find(({ variable }) => variable === 'x');
    await assert.rejects(client.execute('heddle.replay', { bug: other.bug }), { code: -32803, message: /how the program was started/ });
});
