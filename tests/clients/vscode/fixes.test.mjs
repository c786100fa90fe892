// Fixes as VS Code gets them: offered, resolved, applied; then the program is compiled and recorded again, and what was
// to go is gone. HEDDLE_FIX_SAMPLES=all takes every sample program, which takes minutes; or name some, with commas.
import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { everything, startStdio } from './checked_client.mjs';
import { Workspace } from './workspace.mjs';

const samples = fileURLToPath(new URL('../../programs', import.meta.url));
const wanted = process.env.HEDDLE_FIX_SAMPLES;

const capabilities = structuredClone(everything);
capabilities.textDocument.codeAction.resolveSupport = { properties: ['edit'] };
capabilities.textDocument.codeAction.isPreferredSupport = true;
capabilities.workspace.workspaceEdit = { documentChanges: true };

/** The text after edits that do not overlap, as LSP has them. */
function edited(text, edits) {
    const lines = text.split('\n');
    const offset = ({ line, character }) =>
        lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
    const sorted = [...edits].sort((a, b) => offset(b.range.start) - offset(a.range.start));
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
    const flags = (text.match(/^\/\/ flags: (.*)$/m)?.[1] ?? '').split(' ').filter(Boolean);
    const words = ['-O0', '-g', '-Wall', '-Wextra', '-Werror', '-fsanitize=thread', ...flags, name, '-o', 'program'];
    await workspace.run(tool[0], tool[1], ...words);
    await workspace.heddle('record', '-o', '.heddle/traces/sample.htr', '--', './program').catch(() => {
        // A rare order of the run is no failure of the recording; without a trace, nothing will be shown.
    });
}

/** What the daemon knows of the last run, once it has looked at it: bugs as kind and variable. */
async function bugs(client, uri) {
    await client.untilStatus('the analysis', ({ workspaces: [one] }) => one?.traces === 1 && one.analysing === 0);
    await client.execute('heddle.status'); // what was known by then has been published before this is answered
    const found = new Map();
    for (const diagnostic of client.diagnostics.get(uri)?.diagnostics ?? []) {
        const [, variable] = diagnostic.data.bug.split('|');
        found.set(diagnostic.data.bug, `${diagnostic.code} ${variable}`);
    }
    return found;
}

async function begin(t, name) {
    const workspace = new Workspace(t);
    copyFileSync(path.join(samples, 'sample.h'), workspace.path('sample.h'));
    const client = startStdio(workspace);
    await client.begin(workspace, capabilities);
    return { workspace, client, uri: workspace.uri(name) };
}

/** The fixes of all diagnostics of a sample, resolved: title and the text that they lead to. */
async function fixes(t, name) {
    const text = readFileSync(path.join(samples, name), 'utf8');
    const { workspace, client, uri } = await begin(t, name);
    await record(workspace, name, text);
    await client.open(uri, text);
    const before = await bugs(client, uri);
    const found = new Map();
    for (const { range } of client.diagnostics.get(uri)?.diagnostics ?? []) {
        const context = { diagnostics: [] };
        for (const action of await client.request('textDocument/codeAction', { textDocument: { uri }, range, context })) {
            if (!action.title.startsWith('Hold')) continue;
            assert.equal(action.edit, undefined, 'the edit is for later');
            const { edit } = await client.request('codeAction/resolve', action);
            const [change] = edit.documentChanges;
            assert.deepEqual(change.textDocument, { uri, version: 1 });
            found.set(edited(text, change.edits), action);
        }
    }
    return { before, found };
}

/** Compiles, and after recording it again less is found than before, and nothing else. */
async function works(t, name, before, text) {
    const { workspace, client, uri } = await begin(t, name);
    await record(workspace, name, text);
    const after = await bugs(client, uri);
    const known = new Set(before.values());
    for (const bug of after.values()) assert.ok(known.has(bug), `${name}: ${bug} is new`);
    assert.ok(after.size < before.size, `${name}: ${[...after.keys()]} of ${[...before.keys()]} are left`);
}

/** How many fixes the usual ones have. */
const usual = { 'account_racy.cpp': 0, 'crawler.c': 1, 'letter_race.c': 2 };
const every = readdirSync(samples).filter((file) => /\.(c|cpp)$/.test(file));
for (const name of wanted === 'all' ? every : (wanted?.split(',') ?? Object.keys(usual))) {
    test(`fixes of ${name} compile, and remove what they are for`, async (t) => {
        const { before, found } = await fixes(t, name);
        const titles = [...found.values()].map(({ title }) => title);
        t.diagnostic(`${name}: ${titles.join(' | ') || 'none'}`);
        if (name in usual) assert.equal(found.size, usual[name], titles.join());
        for (const [text, { title }] of found) {
            if (title.endsWith('no new deadlock')) await works(t, name, before, text);
        }
    });
}
