// Fixes as VS Code gets them, one of each kind: offered, resolved, applied; then the program is compiled and recorded again,
// and what was to go is gone. What is offered for all other samples, and that it works, is in tests/programs/tests.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { everything, startStdio } from './checked_client.mjs';
import { Workspace } from './workspace.mjs';

const samples = fileURLToPath(new URL('../../programs', import.meta.url));

const capabilities = structuredClone(everything);
capabilities.textDocument.codeAction.resolveSupport = { properties: ['edit'] };
capabilities.textDocument.codeAction.isPreferredSupport = true;
capabilities.workspace.workspaceEdit = { documentChanges: true };

/** The text after edits that do not overlap, as LSP has them: of those at one place, the first comes first. */
function edited(text, edits) {
    const lines = text.split('\n');
    const offset = ({ line, character }) =>
        lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
    const sorted = [...edits].reverse().sort((a, b) => offset(b.range.start) - offset(a.range.start));
    return sorted.reduce(
        (result, { range, newText }) =>
            result.slice(0, offset(range.start)) + newText + result.slice(offset(range.end)),
        text,
    );
}

/** Compiles the text as a user would, and records one run of it. */
async function record(workspace, name, text) {
    workspace.write(name, text);
    const tool = name.endsWith('.c') ? ['gcc', '-std=gnu17'] : ['g++', '-std=c++17'];
    const words = ['-O0', '-g', '-Wall', '-Wextra', '-Werror', '-fsanitize=thread', name, '-o', 'program'];
    await workspace.run(tool[0], tool[1], ...words);
    await workspace.heddle('record', '-o', '.heddle/traces/sample.htr', '--', './program').catch(() => {
        // A rare order of the run is no failure of the recording; without a trace, nothing will be shown.
    });
}

/** What the daemon knows of the last run, once it has looked at it. */
async function bugs(client, uri) {
    await client.untilAnalysed('the analysis', ({ traces }) => traces === 1);
    await client.execute('heddle.status'); // what was known by then has been published before this is answered
    return client.diagnostics.get(uri)?.diagnostics ?? [];
}

async function begin(t, name, text) {
    const workspace = new Workspace(t);
    copyFileSync(path.join(samples, 'sample.h'), workspace.path('sample.h'));
    const client = startStdio(workspace);
    await client.begin(workspace, capabilities);
    await record(workspace, name, text);
    return { client, uri: workspace.uri(name) };
}

const fixes = [
    { name: 'crawler.c', title: "Hold 'task.mutex' here: removes this race; no new deadlock" },
    { name: 'prime_finder.c', title: "Make 'found' atomic: removes this race; no new deadlock" },
    {
        name: 'stock_count.cpp',
        title: "Hold 'shelf' over both accesses: removes this atomicity violation; no new deadlock",
    },
];
for (const { name, title } of fixes) {
    test(`${name}: ${title}`, async (t) => {
        const text = readFileSync(path.join(samples, name), 'utf8');
        const { client, uri } = await begin(t, name, text);
        const before = await bugs(client, uri);
        await client.open(uri, text);
        const offered = [];
        for (const { range } of before) {
            const context = { diagnostics: before };
            offered.push(
                ...(await client.request('textDocument/codeAction', { textDocument: { uri }, range, context })),
            );
        }
        const action = offered.find((one) => one.title === title);
        assert.ok(action, `of ${before.length} diagnostics: ${offered.map((one) => one.title).join('; ')}`);
        assert.equal(action.edit, undefined, 'the edit is for later');
        assert.equal(action.isPreferred, true);
        assert.ok(action.diagnostics.length > 0, 'it says what it is for');
        const { edit } = await client.request('codeAction/resolve', action);
        const [change] = edit.documentChanges;
        assert.deepEqual(change.textDocument, { uri, version: 1 });

        const corrected = await begin(t, name, edited(text, change.edits));
        assert.deepEqual(await bugs(corrected.client, corrected.uri), []);
    });
}
