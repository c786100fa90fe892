// The editor of tests/bench/daemon. Prints lines of: judged or told, what, how much, the limit, the unit.
import { readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { everything, startStdio } from '../clients/vscode/client.mjs';
import { Workspace } from '../clients/vscode/workspace.mjs';

const largest = Number(process.argv[2]);
const smoke = largest < 1_000_000;
const sources = 40; // as many files as the generator speaks of, or more
const lines = smoke ? 500 : 3000;
const cleanUp = [];

let seed = 0;

const judged = (name, value, limit, unit) => console.log(['judged', name, value, limit, unit].join('\t'));
const told = (name, value, unit) => console.log(['told', name, value, '-', unit].join('\t'));

const sorted = (values) => [...values].sort((a, b) => a - b);
/** The value that a share of all values does not exceed. */
function quantile(values, share) {
    return sorted(values)[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)];
}
const ms = (time) => time.toFixed(1);

function workspaceWithSources() {
    const workspace = new Workspace({ after: (end) => cleanUp.push(end) });
    for (let i = 0; i < sources; ++i) workspace.write(`src${i}.cpp`, '    int some_name = other(name);\n'.repeat(lines));
    return workspace;
}

async function generate(workspace, events, name) {
    const file = path.join(workspace.home, name);
    await workspace.heddle('generate', '--preset', 'realistic', '--seed', String(++seed), '--events', String(events), '-o', file);
    return file;
}

async function start(workspace) {
    const client = startStdio(workspace);
    await client.begin(workspace, everything);
    return client;
}

async function stop(client) {
    await client.leave();
    await client.exitCode;
}

async function settled(client, traces) {
    for (;;) {
        const status = await client.execute('heddle.status');
        const [folder] = status.workspaces;
        if (folder.analysing === 0 && folder.traces >= traces) return folder;
        await pause(20);
    }
}

/** Diagnostics are published a few at a time: those of this round must not be taken for the next one's. */
async function quiet(client) {
    for (let before = -1; before !== client.heard.length; await pause(100)) before = client.heard.length;
}

/** A field of /proc/PID/status, in KiB. */
function kibibytes(client, field) {
    const status = readFileSync(`/proc/${client.child.pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)[1]);
}

/** Processor time of all threads, in ticks of 10 ms. */
function ticks(client) {
    const fields = readFileSync(`/proc/${client.child.pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
    return Number(fields[11]) + Number(fields[12]);
}

/** As a person does who has seen enough: what is known so far stays. */
async function cancelAnalysis(client) {
    for (;;) {
        const progress = client.heard.find((message) => message.method === 'window/workDoneProgress/create');
        const [folder] = (await client.execute('heddle.status')).workspaces;
        if (folder.analysing === 0) return;
        if (progress) await client.notify('window/workDoneProgress/cancel', { token: progress.params.token });
        await pause(20);
    }
}

/** What was stopped winds down behind the daemon's back: the next round must not share the processor with it. */
async function idle(client) {
    for (let before = -1; before !== ticks(client); await pause(100)) before = ticks(client);
}

/**
 * From the moment a trace is in its place: the first diagnostics and, in as many rounds as `toTheEnd`, the last. The other
 * rounds stop the search for witnesses. Each begins when the daemon does nothing.
 */
async function firstDiagnostics(events, rounds, limit, toTheEnd = rounds) {
    const workspace = workspaceWithSources();
    const client = await start(workspace);
    const first = [];
    const last = [];
    for (let round = 0; round < rounds; ++round) {
        const file = await generate(workspace, events, 'new.htr');
        client.heard.length = 0;
        const begun = performance.now();
        renameSync(file, path.join(workspace.traces, 'test.htr'));
        await client.until('diagnostics', () =>
            client.heard.some((message) => message.method === 'textDocument/publishDiagnostics' && message.params.diagnostics.length > 0));
        first.push(performance.now() - begun);
        if (round < toTheEnd) {
            await settled(client, 1);
            last.push(performance.now() - begun);
        } else {
            await cancelAnalysis(client);
        }
        await quiet(client);
        await idle(client);
    }
    judged(`trace of ${events} events to diagnostics, p95 of ${rounds}`, ms(quantile(first, 0.95)), limit, 'ms');
    told('median', ms(quantile(first, 0.5)), 'ms');
    told(`until every witness is found, median of ${last.length}`, ms(quantile(last, 0.5)), 'ms');
    await stop(client);
}

/** Requests of a person at work while a large trace is analysed. */
async function whileAnalysing(events) {
    const workspace = workspaceWithSources();
    renameSync(await generate(workspace, smoke ? events : 10_000, 'small.htr'), path.join(workspace.traces, 'small.htr'));
    const file = await generate(workspace, events, 'large.htr');
    const client = await start(workspace);
    await settled(client, 1);
    const uri = workspace.uri('src0.cpp');
    await client.open(uri, readFileSync(workspace.path('src0.cpp'), 'utf8'));
    const line = client.diagnostics.get(uri)?.diagnostics[0]?.range.start.line ?? 0;
    const position = { line, character: 10 };
    const textDocument = { uri };
    // Editors send what they show there.
    const shownAt = (wanted) =>
        (client.diagnostics.get(uri)?.diagnostics ?? []).filter(({ range }) => range.start.line <= wanted && wanted <= range.end.line);
    const requests = {
        hover: () => client.request('textDocument/hover', { textDocument, position }),
        'code action': () => client.request('textDocument/codeAction', {
            textDocument, range: { start: position, end: position }, context: { diagnostics: shownAt(line) },
        }),
        // A notification has no answer: the next request's comes after it was taken in.
        didChange: async (round) => {
            await client.notify('textDocument/didChange', {
                textDocument: { uri, version: round + 2 },
                contentChanges: [{ range: { start: { line: 5, character: 4 }, end: { line: 5, character: 4 } }, text: 'x' }],
            });
            await client.request('textDocument/hover', { textDocument, position });
        },
    };
    const times = { hover: [], 'code action': [], didChange: [] };
    renameSync(file, path.join(workspace.traces, 'large.htr'));
    for (let round = 0; ; ++round) {
        for (const [name, request] of Object.entries(requests)) {
            const begun = performance.now();
            await request(round);
            times[name].push(performance.now() - begun);
        }
        await pause(2);
        const [folder] = (await client.execute('heddle.status')).workspaces;
        client.heard.length = 0;
        if (folder.traces === 2 && folder.analysing === 0) break;
    }
    for (const [name, all] of Object.entries(times)) {
        judged(`${name} while ${events} events are analysed, p99 of ${all.length}`, ms(quantile(all, 0.99)), 10, 'ms');
        told('the longest', ms(quantile(all, 1)), 'ms');
    }
    await stop(client);
}

/** From the start of the program with a cache that knows the trace. */
async function warmStart(events, rounds) {
    const workspace = workspaceWithSources();
    renameSync(await generate(workspace, events, 'test.htr'), path.join(workspace.traces, 'test.htr'));
    let client = await start(workspace);
    await settled(client, 1);
    await stop(client);
    const times = [];
    for (let round = 0; round < rounds; ++round) {
        const begun = performance.now();
        client = await start(workspace);
        await client.until('diagnostics', () => client.diagnostics.size > 0);
        times.push(performance.now() - begun);
        await stop(client);
    }
    judged(`start with a warm cache to diagnostics, p95 of ${rounds}`, ms(quantile(times, 0.95)), 200, 'ms');
}

/** Memory with ten traces, the processor time of an idle daemon, and what many requests leave behind. */
async function longLife(events, requests) {
    const workspace = workspaceWithSources();
    for (let i = 0; i < 10; ++i)
        renameSync(await generate(workspace, events, 'one.htr'), path.join(workspace.traces, `test${i}.htr`));
    const client = await start(workspace);
    await settled(client, 10);
    judged(`memory with 10 traces of ${events} events`, (kibibytes(client, 'VmRSS') / 1024).toFixed(0), 500, 'MiB');
    told('at most, meanwhile', (kibibytes(client, 'VmHWM') / 1024).toFixed(0), 'MiB');

    await pause(1000);
    const before = ticks(client);
    await pause(smoke ? 1000 : 20_000);
    judged('processor time of an idle daemon, of 20 s', (ticks(client) - before) * 10, 0, 'ms');

    const textDocument = { uri: workspace.uri('src0.cpp') };
    const many = async (count) => {
        for (let i = 0; i < count; ++i) {
            await client.request('textDocument/hover', { textDocument, position: { line: i % lines, character: 10 } });
            client.heard.length = 0;
        }
        return kibibytes(client, 'VmRSS');
    };
    const warm = await many(requests / 10);
    const after = await many(requests);
    judged(`memory after ${requests} requests / before`, (after / warm).toFixed(3), 1.01, 'x');
    await stop(client);
}

try {
    await firstDiagnostics(smoke ? largest : 10_000, smoke ? 3 : 50, 100);
    await firstDiagnostics(smoke ? largest : 1_000_000, smoke ? 3 : 50, 1000, smoke ? 2 : 5);
    await whileAnalysing(largest);
    await warmStart(smoke ? largest : 1_000_000, smoke ? 2 : 20);
    await longLife(smoke ? largest : 1_000_000, smoke ? 1000 : 100_000);
    console.log('end');
} finally {
    for (const end of cleanUp) await end();
}
