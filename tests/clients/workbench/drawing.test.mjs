// The drawing of a witness by itself: what it shows, what keys do, what a screen reader hears.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { assertAccessible, openPage } from './browser.mjs';
import { heddle } from './workbench.mjs';

const at = (name) => fileURLToPath(new URL(name, import.meta.url));
const view = at('../../../editors/witness-view/');
const origin = 'http://heddle.test'; // what a browser imports has to come from somewhere

function witness(trace, id) {
    return JSON.parse(execFileSync(heddle, ['witness', trace, String(id), '--format', 'json']));
}

let bank;
let reordered; // its schedule takes steps in another order than the run did
before(() => {
    const sample = at('../../samples/bank.std');
    [bank, reordered] = [witness(sample, 1), witness(sample, 2)];
});

/** A page with the drawing; what it tells its user is kept in `told`. */
async function draw(t, finding) {
    const page = await openPage({ viewport: { width: 1000, height: 700 } });
    const problems = [];
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => request.url().startsWith(origin) || problems.push(request.url()));
    t.after(() => assert.deepEqual(problems, []));
    const body = `<!DOCTYPE html><html lang="en"><title>Witness</title><link rel="stylesheet" href="witness_view.css">
<link rel="icon" href="data:,"><main><h1>Witness</h1><div id="place"></div></main>`;
    await page.route(`${origin}/**`, (route) => {
        const name = new URL(route.request().url()).pathname.slice(1);
        return name
            ? route.fulfill({ path: path.join(view, name) })
            : route.fulfill({ body, contentType: 'text/html' });
    });
    await page.goto(`${origin}/`);
    await page.evaluate(async (drawn) => {
        const { drawWitness } = await import('/witness_view.mjs');
        globalThis.told = [];
        globalThis.view = drawWitness(document.getElementById('place'), drawn, {
            onActivate: (step) => globalThis.told.push(['activate', step.step]),
            onOpen: (step) => globalThis.told.push(['open', step.line]),
        });
    }, finding);
    return page;
}

const told = (page) => page.evaluate(() => globalThis.told.splice(0));
const current = (page) => page.locator('.wv-row[aria-selected=true]').getAttribute('aria-label');

test('one lane a thread, the steps in their order, the conflict marked where the schedule ends', async (t) => {
    const page = await draw(t, bank);
    const { story } = bank.witness;
    assert.equal(await page.locator('.wv-thread').count(), story.threads.length);
    assert.equal(await page.getByRole('option').count(), story.shown);
    assert.equal(await page.locator('.wv-marked').count(), 2);
    assert.match(
        await current(page),
        new RegExp(`^Step ${story.shown} of ${story.shown}, thread T2.*part of the finding`),
    );
    assert.match(await page.locator('.wv-moral').textContent(), /T1 and T2 get to 'acct->balance' at the same moment/);
    const [lock, last] = [story.rows.find((row) => row.words === 'lock acct->mu'), story.rows.at(-1)];
    assert.deepEqual([lock.held, lock.held_after, last.held], [[], ['acct->mu'], []]);
});

test('a lock is a bar from the step that takes it, and the heads say who holds it', async (t) => {
    const page = await draw(t, bank);
    const rows = page.getByRole('option');
    const lock = bank.witness.story.rows.findIndex((row) => row.words === 'lock acct->mu');
    const step = bank.witness.story.rows[lock].step;
    assert.equal(
        await rows
            .nth(step - 1)
            .locator('.wv-begins')
            .count(),
        1,
    );
    assert.equal(await rows.nth(step).locator('.wv-bar').count(), 1);
    assert.equal(
        await rows
            .nth(step - 2)
            .locator('.wv-bar')
            .count(),
        0,
    );
    assert.deepEqual(await page.locator('.wv-holds').allTextContents(), [
        'holds nothing',
        'holds acct->mu',
        'holds nothing',
    ]);
    await page.evaluate((number) => globalThis.view.activate(number), step - 1);
    assert.deepEqual(await page.locator('.wv-holds').allTextContents(), [
        'holds nothing',
        'holds nothing',
        'holds nothing',
    ]);
});

/** Four threads take the lock in turn; the schedule is about the last of them and one that takes none. */
function turns() {
    const threads = ['T1', 'T2', 'T3', 'T4'];
    const turn = (thread) =>
        [`acq(mu)|f@m.c:3`, `r(x)|f@m.c:4|=1`, `w(x)|f@m.c:4|=1`, `rel(mu)|f@m.c:5`].map((one) => `${thread}|${one}`);
    return [
        ...[...threads, 'T5'].map((thread, i) => `T0|fork(${thread})|main@m.c:${10 + i}`),
        ...threads.flatMap(turn),
        'T5|w(x)|g@m.c:8|=1',
    ];
}

/** The lock goes back and forth between two threads, and each reads what the other wrote; what takes it and gives it back is left out. */
function backAndForth() {
    const turn = (i) => [
        'acq(mu)|f@m.c:3',
        ...(i > 0 ? [`r(v${i - 1})|f@m.c:4|=1`] : []),
        ...Array.from({ length: 8 }, () => `w(own${i % 2})|f@m.c:5|=1`),
        `w(v${i})|f@m.c:6|=1`,
        'rel(mu)|f@m.c:7',
    ];
    return [
        ...['T1', 'T2', 'T3'].map((thread, i) => `T0|fork(${thread})|main@m.c:${10 + i}`),
        ...Array.from({ length: 7 }, (_, i) => turn(i).map((event) => `T${1 + (i % 2)}|${event}`)).flat(),
        'T1|w(x)|f@m.c:8|=1',
        'T3|w(x)|g@m.c:9|=1',
    ];
}

for (const run of [turns, backAndForth])
    test(`a lock that is given back in what is left out is not held after it (${run.name})`, async (t) => {
        const folder = mkdtempSync('/tmp/heddle-drawing-');
        t.after(() => rmSync(folder, { recursive: true }));
        writeFileSync(path.join(folder, 'run.std'), [...run(), ''].join('\n'));
        const drawn = witness(path.join(folder, 'run.std'), 1);
        assert.ok(drawn.witness.story.rows.some(({ left_out }) => left_out));
        const page = await draw(t, drawn);
        const holders = await page.evaluate(() =>
            [...document.querySelectorAll('.wv-lanes .wv-row')].map(
                (row) => row.querySelectorAll('.wv-bar:not(.wv-ends)').length,
            ),
        );
        assert.ok(holders.includes(1));
        assert.ok(Math.max(...holders) === 1, `one thread has the lock, not ${holders}`);
    });

test('lanes are as wide as what is in them needs: no box reaches over a lock of another lane, nor out of the picture', async (t) => {
    const folder = mkdtempSync('/tmp/heddle-drawing-');
    t.after(() => rmSync(folder, { recursive: true }));
    const file = 'a_file_with_quite_a_long_name.cpp';
    const threads = ['philosopher0', 'philosopher1', 'philosopher2'];
    const takes = (thread, left, right) => [
        `${thread}|acq(forks[${left}])|dine@${file}:23:5`,
        `${thread}|acq(forks[${right}])|dine@${file}:24:5`,
        `${thread}|rel(forks[${right}])|dine@${file}:25:5`,
        `${thread}|rel(forks[${left}])|dine@${file}:26:5`,
    ];
    const run = [
        ...threads.map((thread) => `main|fork(${thread})|main@${file}:38:5`),
        ...threads.flatMap((thread, i) => takes(thread, i, (i + 1) % 3)),
        '',
    ];
    writeFileSync(path.join(folder, 'forks.std'), run.join('\n'));
    const page = await draw(t, witness(path.join(folder, 'forks.std'), 1));
    const overlaps = () =>
        page.evaluate(() => {
            const boxes = [...document.querySelectorAll('.wv-box')].map((one) => one.getBoundingClientRect());
            const bars = [...document.querySelectorAll('.wv-bar')].map((one) => one.getBoundingClientRect());
            const { right } = document.querySelector('.wv').getBoundingClientRect();
            const meet = (one, other) =>
                one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
            return {
                bars: boxes.filter((box) => bars.some((bar) => meet(box, bar))).length,
                out: boxes.filter((box) => box.right > right).length,
            };
        });
    for (const width of [1000, 520]) {
        await page.setViewportSize({ width, height: 700 });
        assert.deepEqual(await overlaps(), { bars: 0, out: 0 }, `${width} wide`);
    }
    await page.setViewportSize({ width: 300, height: 700 });
    assert.equal((await overlaps()).bars, 0);
});

test('a step that follows one in the same file tells the line alone, and a thread has no line before its fork', async (t) => {
    const page = await draw(t, bank);
    const places = await page.locator('.wv-place').allTextContents();
    assert.match(places[0], /^bank\.cpp:\d+$/);
    for (const place of places.slice(1)) assert.match(place, /^:\d+$/);
    const lines = await page.evaluate(() =>
        [...document.querySelectorAll('.wv-lanes .wv-row:not([hidden])')].map((row) => ({
            words: row.querySelector('.wv-words')?.textContent,
            line: getComputedStyle([...row.querySelectorAll('.wv-cell')].at(-1), '::before').display !== 'none',
        })),
    );
    const fork = lines.findIndex(({ words }) => words === 'fork T2');
    assert.ok(fork > 0);
    lines.forEach(({ line }, row) => assert.equal(line, row >= fork, `in row ${row}`));
});

test('arrow keys step, Enter goes to the source, and so does a click', async (t) => {
    const page = await draw(t, bank);
    const { shown } = bank.witness.story;
    await page.getByRole('listbox').focus();
    await page.keyboard.press('ArrowUp');
    assert.deepEqual(await told(page), [['activate', shown - 1]]);
    await page.keyboard.press('Enter');
    assert.deepEqual(await told(page), [['open', 41]]);
    await page.keyboard.press('Home');
    assert.match(await current(page), /^Step 1 of/);
    await page.getByRole('slider').focus();
    await page.keyboard.press('ArrowRight');
    assert.match(await current(page), /^Step 2 of/);
    assert.match(await page.getByRole('slider').getAttribute('aria-valuetext'), /^Step 2 of/);
    await told(page);
    await page.getByRole('option').last().click();
    assert.deepEqual(await told(page), [
        ['activate', shown],
        ['open', 57],
    ]);
});

test('the recorded order is shown for comparison, at the same step', async (t) => {
    const page = await draw(t, reordered);
    const before = (await current(page)).replace(/^.*thread/, '').replace(/,.*/, '');
    await page.getByRole('radio', { name: 'As recorded' }).click();
    const { observed } = reordered.witness;
    assert.equal(await page.getByRole('option').count(), observed.shown);
    assert.ok((await current(page)).includes(before));
    assert.ok((await page.locator('.wv-moved').count()) > 0);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await page.getByRole('radio', { name: 'Schedule that fails' }).getAttribute('aria-checked'), 'true');
});

test('an automated check finds nothing in the way of anybody', async (t) => {
    const page = await draw(t, bank);
    await assertAccessible(page);
});
