// The page of `heddle analyze --format html` in a browser.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { recordBank } from './bank.mjs';
import { assertAccessible, openPage } from './browser.mjs';
import { analyze, manyRaces, openFolder } from './reports.mjs';
import { Home, heddle, pictures } from './workbench.mjs';

/** The page in a browser that notes everything it should not do. */
async function openReport(folder, html, options = {}) {
    const file = path.join(folder, 'report.html');
    writeFileSync(file, html);
    const page = await openPage({ viewport: { width: 1200, height: 900 }, ...options });
    const wrong = [];
    page.on('console', (message) => wrong.push(message.text()));
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('request', (request) => request.url() !== pathToFileURL(file).href && wrong.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    await page.locator('.finding').first().waitFor();
    return { page, wrong };
}

/** Of the whole page: the window is made as high, since a part of the page stays at its lower edge. */
async function picture(page, name) {
    mkdirSync(pictures, { recursive: true });
    const { width } = page.viewportSize();
    await page.setViewportSize({ width, height: await page.evaluate(() => document.documentElement.scrollHeight) });
    await page.screenshot({ path: path.join(pictures, `${name}.png`) });
}

const places = (page) => page.locator('.places mark').allTextContents();
const stepLine = (page) => page.locator('.step-source mark').textContent();

for (const colorScheme of ['light', 'dark']) {
    test(`the page tells where, how it comes about and how to see it again (${colorScheme})`, async (t) => {
        const folder = openFolder(t);
        const { status, stdout } = analyze(folder, 'run.std', '--format', 'html');
        assert.equal(status, 1);
        const { page, wrong } = await openReport(folder, stdout, { colorScheme });
        await page.locator('.wv').waitFor(); // a single finding is open from the start
        assert.match(await page.locator('h1').textContent(), /1 race · 0 atomicity violations · 0 deadlocks/);
        assert.deepEqual(await places(page), [
            '   15      to.balance += amount;\n',
            '   19      to.balance += 25; // without to.mu\n',
        ]);
        assert.deepEqual(await page.locator('.places .expression').allTextContents(), ['to.balance', 'to.balance']);
        await page.getByText('write in deposit, thread T2 second, holding account.mu').waitFor();
        await page.getByText('heddle witness run.std 1').waitFor();
        assert.equal(await page.getByText('heddle replay').count(), 0, 'nobody can run what was written by hand');
        await picture(page, `report-${colorScheme}`);
        await assertAccessible(page);
        assert.deepEqual(wrong, []);
    });
}

test('a click on a step, or a key, shows its line of the source', async (t) => {
    const folder = openFolder(t);
    const { page, wrong } = await openReport(folder, analyze(folder, 'run.std', '--format', 'html').stdout);
    assert.equal(await stepLine(page), '   19      to.balance += 25; // without to.mu\n');
    await page.getByRole('option', { name: 'Step 6 of' }).click();
    assert.equal(await stepLine(page), '   14      const std::lock_guard<std::mutex> lock(to.mu);\n');
    assert.match(
        await page.locator('.step-source figcaption').textContent(),
        /^6 T2 second: lock account.mu bank.cpp:14$/,
    );
    await page.keyboard.press('ArrowUp');
    assert.equal(await stepLine(page), '   16  }\n');
    await page.getByRole('slider').fill('1');
    assert.match(await stepLine(page), /^ {3}23 .*deposit\(account, 50\)/);
    assert.deepEqual(wrong, []);
});

test('it is used by keys alone', async (t) => {
    const folder = openFolder(t);
    writeFileSync(path.join(folder, 'many.std'), manyRaces(3));
    const { page, wrong } = await openReport(folder, analyze(folder, 'run.std', 'many.std', '--format', 'html').stdout);
    assert.equal(await page.locator('.finding').count(), 4);
    await page.locator('#words').focus();
    await page.keyboard.type('pay_bonus');
    assert.equal(await page.locator('#shown').textContent(), '1 of 4 shown');
    for (let i = 0; i < 5; ++i) await page.keyboard.press('Tab'); // over the boxes, to the finding
    await page.keyboard.press('Enter');
    await page.locator('.wv').waitFor();
    const current = page.locator('.wv-row[aria-selected=true]');
    assert.match(await current.getAttribute('aria-label'), /^Step 9 of 9/);
    await page.getByRole('listbox').focus();
    await page.keyboard.press('ArrowUp');
    assert.match(await current.getAttribute('aria-label'), /^Step 8 of 9/);
    assert.deepEqual(wrong, []);
});

test('two races on one variable are open at once, and a screen reader tells their schedules apart', async (t) => {
    const folder = openFolder(t);
    const writes = ['T1', 'T2', 'T1'].map((thread, i) => `${thread}|w(total)|count@many.cpp:${i + 1}:3|=1`);
    const forks = ['T1', 'T2'].map((thread) => `T0|fork(${thread})|main@main.cpp:1:1`);
    writeFileSync(path.join(folder, 'twice.std'), [...forks, ...writes, ''].join('\n'));
    const { page } = await openReport(folder, analyze(folder, 'twice.std', '--format', 'html').stdout);
    const headlines = await page.locator('.finding strong').allTextContents();
    assert.ok(headlines.length > 1 && new Set(headlines).size === 1, headlines.join());
    for (const summary of await page.locator('.finding summary').all()) await summary.click();
    await page.locator('.wv').nth(headlines.length - 1).waitFor();
    await assertAccessible(page);
});

test('a finding that several runs have is told once, with all of them', async (t) => {
    const folder = openFolder(t);
    for (const name of ['a run.std', 'b.std']) writeFileSync(path.join(folder, name), manyRaces(1));
    const { page } = await openReport(folder, analyze(folder, 'a run.std', 'b.std', '--format', 'html').stdout);
    assert.equal(await page.locator('.finding').count(), 1);
    await page.getByText("heddle witness 'a run.std' 1").waitFor();
    await page.getByText('Also in b.std').waitFor();
});

test('of many runs their number is told, and which of them could not be read', async (t) => {
    const folder = openFolder(t);
    const names = Array.from({ length: 6 }, (_, i) => `run${i}.std`);
    for (const name of names) writeFileSync(path.join(folder, name), manyRaces(1));
    const { stdout } = spawnSync(heddle, ['analyze', ...names, 'missing.std', '--format', 'html'], {
        cwd: folder,
        encoding: 'utf8',
    });
    const { page, wrong } = await openReport(folder, stdout);
    await page.getByText('missing.std').waitFor();
    const runs = page.locator('#runs summary', { hasText: '6 runs, 24 events' });
    assert.equal(await page.getByText('run5.std 4 events').isVisible(), false);
    await runs.click();
    await page.getByText('run5.std 4 events').waitFor();
    await assertAccessible(page);
    assert.deepEqual(wrong, []);
});

test('a deadlock in one line tells that line once, with all threads', async (t) => {
    const folder = openFolder(t);
    const takes = (thread, one, other) => [
        `${thread}|acq(${one})|move@bank.cpp:14:5`,
        `${thread}|acq(${other})|move@bank.cpp:15:5`,
        `${thread}|rel(${other})|move@bank.cpp:16:1`,
        `${thread}|rel(${one})|move@bank.cpp:16:1`,
    ];
    const forks = ['T1', 'T2'].map((thread, i) => `T0|fork(${thread})|main@bank.cpp:${23 + i}:5`);
    const run = [...forks, ...takes('T1', 'mine', 'yours'), ...takes('T2', 'yours', 'mine'), ''];
    writeFileSync(path.join(folder, 'locks.std'), run.join('\n'));
    const { page, wrong } = await openReport(folder, analyze(folder, 'locks.std', '--format', 'html').stdout);
    assert.equal(await page.locator('.places .excerpt').count(), 1);
    const [caption] = await page.locator('.places figcaption').allTextContents();
    for (const words of ["lock 'yours' in move, thread T1, holding mine", "lock 'mine' in move, thread T2, holding yours"])
        assert.ok(caption.includes(words), caption);
    await page.getByText('T1 and T2 wait for each other').waitFor();
    await picture(page, 'report-deadlock');
    assert.deepEqual(wrong, []);
});

test('of a recorded run it tells how to make it happen', async (t) => {
    const home = new Home(t);
    recordBank(home);
    const { page } = await openReport(home.work, analyze(home.work, '--format', 'html').stdout);
    await page.getByText('heddle replay 1 .heddle/traces/bank.htr').waitFor();
    await page.getByText('runs ./bank on this schedule: it happens').waitFor();
});

test('500 findings are there in less than a second, and nothing in them is taken for HTML', async (t) => {
    const folder = openFolder(t);
    const name = (i) => (i === 7 ? 'counter</script><b>7' : `counter${i}`);
    writeFileSync(path.join(folder, 'many.std'), manyRaces(500, name));
    const html = analyze(folder, 'many.std', '--format', 'html').stdout;
    const { page, wrong } = await openReport(folder, html);
    assert.equal(await page.locator('.finding').count(), 500);
    await page.screenshot({ path: path.join(pictures, 'report-many.png') });
    assert.equal(await page.locator('b').count(), 0);
    assert.deepEqual(wrong, []);

    // From the beginning of the navigation until all are there and painted. A busy machine makes everything longer, so that counts what
    // the page costs the browser's main thread, in half of the loads, and the shortest time by the clock.
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const milliseconds = async () => {
        const { metrics } = await session.send('Performance.getMetrics');
        return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
    };
    const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now()))));
    const [loads, costs] = [[], []];
    for (let i = 0; i < 7; ++i) {
        const before = await milliseconds();
        await page.reload({ waitUntil: 'commit' });
        await page.waitForFunction(() => document.querySelectorAll('.finding').length === 500);
        loads.push(await page.evaluate(painted));
        costs.push((await milliseconds()) - before);
    }
    const words = `${loads.map(Math.round).join(', ')} ms, ${costs.map(Math.round).join(', ')} ms of them work`;
    t.diagnostic(words);
    assert.ok(Math.min(...loads) < 1000, words);
    assert.ok(costs.sort((one, other) => one - other)[3] < 500, words);
});

/** Twelve threads that each count under a lock of their own, and two that forget one; names as templates have them. */
function manyThreads() {
    const variable = 'service::registry<std::__cxx11::basic_string<char>, long>::instance().statistics.requests_served';
    const thread = (i) => `T${i + 1}`;
    const lines = Array.from(
        { length: 12 },
        (_, i) => `T0|fork(${thread(i)})|main@server/very/long/path/to/main.cpp:${10 + i}:5`,
    );
    for (let i = 0; i < 12; ++i) {
        const place = (line) => `service::worker<long>::handle_request@server/very/long/path/to/worker.cpp:${line}:9`;
        const guard =
            i < 10 ? 'service::registry<std::__cxx11::basic_string<char>, long>::instance().mutex' : `shard${i}.mutex`;
        lines.push(`${thread(i)}|acq(${guard})|${place(40)}`);
        lines.push(
            `${thread(i)}|r(${variable})|${place(41)}|=${i}`,
            `${thread(i)}|w(${variable})|${place(41)}|=${i + 1}`,
        );
        lines.push(`${thread(i)}|rel(${guard})|${place(42)}`);
    }
    return [...lines, ''].join('\n');
}

test('twelve threads, long names and a narrow window', async (t) => {
    const folder = openFolder(t);
    writeFileSync(path.join(folder, 'threads.std'), manyThreads());
    const html = analyze(folder, 'threads.std', '--format', 'html').stdout;
    for (const [name, width, colorScheme] of [
        ['wide', 1200, 'light'],
        ['narrow', 420, 'dark'],
    ]) {
        const { page, wrong } = await openReport(folder, html, { viewport: { width, height: 900 }, colorScheme });
        const finding = page.locator('.finding').first();
        if ((await finding.getAttribute('open')) === null) await finding.locator('summary').click();
        await page.locator('.wv').first().waitFor();
        await picture(page, `report-threads-${name}`);
        const others = await page.locator('.wv-gap', { hasText: 'of other threads' }).boundingBox();
        const events = await page.locator('.wv-gap', { hasText: /\d events?$/ }).first().boundingBox();
        assert.ok(others.height <= events.height, 'what other threads did is told in one line');
        // What is too wide is scrolled in its own place, not with the page.
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
        const inView = await page.locator('.wv-row[aria-selected=true] .wv-box').evaluate((box) => {
            const drawing = box.closest('.drawing').getBoundingClientRect();
            const { left, right } = box.getBoundingClientRect();
            return drawing.left <= left && right <= drawing.right + 1;
        });
        assert.ok(inView, 'the conflict is in view from the start');
        await assertAccessible(page);
        assert.deepEqual(wrong, []);
    }
});
