// Columns, in the unit that was agreed on: a program whose racing line has a character past U+FFFF before the access,
// and lines that end with CR LF, compiled and recorded.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { everything, startStdio } from './checked_client.mjs';
import { Workspace } from './workspace.mjs';

const racingLine = '    /* 😀é */ counter += 1;';
const program = [
    '#include <thread>',
    'static long counter = 0;',
    'static void count() {',
    racingLine,
    '}',
    'int main() {',
    '    std::thread one(count);',
    '    std::thread other(count);',
    '    one.join();',
    '    other.join();',
    '    return 0;',
    '}',
    '',
].join('\r\n');

/** Columns of the access, of which the compiler has the `+=`: 7 characters, 😀, é, and 4 more come before it. */
const access = 'counter';
const start = { 'utf-8': 7 + 4 + 2 + 4, 'utf-16': 7 + 2 + 1 + 4, 'utf-32': 7 + 1 + 1 + 4 };

const cleanUp = [];
let workspace;

before(async () => {
    workspace = new Workspace({ after: (remove) => cleanUp.push(remove) });
    workspace.write('count.cpp', program);
    await workspace.run('g++', '-O0', '-g', '-fsanitize=thread', 'count.cpp', '-o', 'count');
    await workspace.heddle('record', '--', './count');
});

after(() => Promise.all(cleanUp.map((remove) => remove())));

for (const [encoding, character] of Object.entries(start)) {
    test(`columns in ${encoding}`, async () => {
        const client = startStdio(workspace);
        const offered = { ...everything, general: { positionEncodings: [encoding] } };
        const { capabilities } = await client.begin(workspace, offered);
        assert.equal(capabilities.positionEncoding, encoding);
        const uri = workspace.uri('count.cpp');
        await client.open(uri, program);
        // Until then what is marked may be the token that the compiler pointed at.
        await client.untilAnalysed('the whole report', ({ traces }) => traces === 1);
        const [{ range }] = await client.until('a diagnostic', () => {
            const shown = client.diagnostics.get(uri)?.diagnostics ?? [];
            return shown.length > 0 && shown;
        });
        const there = {
            start: { line: 3, character },
            end: { line: 3, character: character + access.length },
        };
        assert.deepEqual(range, there);
        const hover = await client.request('textDocument/hover', { textDocument: { uri }, position: range.end });
        assert.deepEqual(hover.range, there);
        const behind = { line: 3, character: range.end.character + 1 };
        assert.equal(await client.request('textDocument/hover', { textDocument: { uri }, position: behind }), null);

        // The same unit counts in the changes that the client sends.
        await client.notify('textDocument/didChange', {
            textDocument: { uri, version: 2 },
            contentChanges: [{ range: { start: there.start, end: there.start }, text: '' }, { range: there, text: 'n' }],
        });
        await client.notify('textDocument/didSave', { textDocument: { uri } });
        await client.until('the diagnostics of version 2', () => client.diagnostics.get(uri).version === 2);
        assert.deepEqual(client.diagnostics.get(uri).diagnostics[0].range.start, there.start);
    });
}

test('without an offer, columns are in UTF-16; UTF-8 is taken where there is a choice', async () => {
    const without = startStdio(workspace);
    const { general, ...rest } = everything;
    assert.ok(general);
    assert.equal((await without.begin(workspace, rest)).capabilities.positionEncoding, 'utf-16');
    const choice = startStdio(workspace);
    const offered = { ...rest, general: { positionEncodings: ['utf-16', 'utf-32', 'utf-8'] } };
    assert.equal((await choice.begin(workspace, offered)).capabilities.positionEncoding, 'utf-8');
});
