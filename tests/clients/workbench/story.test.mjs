// From a recorded run to what a person sees of it in VS Code, makes happen, corrects and records again.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { bonusLine, depositLine, lockLine, recordBank, testCommand } from './bank.mjs';
import { assertAccessible, until } from './browser.mjs';
import { Home, Workbench, story } from './workbench.mjs';

const bothSides = [
    { line: depositLine, text: 'to.balance' },
    { line: bonusLine, text: 'to.balance' },
];

test('a race of a recorded run is seen, understood, made to happen and corrected', async (t) => {
    const home = new Home(t);
    const { accesses, witness } = recordBank(home);
    const { shown, threads } = witness.story;
    const steps = witness.story.rows.filter((row) => row.step);
    const marked = steps.filter((step) => step.marked);
    const lock = steps.findLast((step) => step.words === 'lock account.mu');
    assert.deepEqual(new Set(marked.map(({ line }) => line)), new Set([depositLine, bonusLine]));

    const workbench = await Workbench.start(home);
    const window = await workbench.open('bank.cpp');
    const { page } = window;
    const refused = []; // by the policy of the panel's page
    page.on('console', (message) => {
        if (/Content.Security.Policy/i.test(message.text()) && /heddle|panel_page/.test(message.location().url))
            refused.push(message.text());
    });
    const note = ({ step, full_name, words }) => `${step}/${shown} ${full_name}: ${words}`;
    const source = () => readFileSync(path.join(home.work, 'bank.cpp'), 'utf8');

    await story(window, {
        'both sides have squiggles under the expression, and the status bar tells how many there are': async () => {
            await window.status('Heddle: 1 race');
            await until('two squiggles', async () => (await window.squiggles()).length >= 2);
            assert.deepEqual(await window.squiggles(), bothSides);
            await until('a lens over both functions', async () => (await window.lenses.count()) === 2);
            assert.match((await window.lenses.allTextContents()).join('; '), /^(1 race · last run \d\d:\d\d(; |$)){2}/);
            await window.picture('squiggles');
        },
        'the list of problems has the numbered schedule, and each step goes to its line': async () => {
            await page.keyboard.press('Control+Shift+M');
            const problems = page.locator('.markers-panel');
            await problems.getByText("Data race on 'account.balance'").first().waitFor();
            await window.run('View: Toggle Maximized Panel');
            for (const step of steps.filter(({ file }) => file))
                await problems.getByText(`${step.step}/${shown} ${step.full_name}: ${step.words}`).first().waitFor();
            await window.picture('problems-all');
            await window.run('View: Toggle Maximized Panel');
            await window.picture('problems');
            await problems.getByText(`${lock.step}/${shown} ${lock.full_name}: lock account.mu`).first().click();
            await window.cursorIn(lockLine);
            await page.keyboard.press('Control+J');
        },
        'the hover has the table': async () => {
            await page.locator('.editor-instance .squiggly-error').last().hover({ force: true });
            const table = page
                .locator('.monaco-hover:visible', { hasText: 'account.balance' })
                .locator('table')
                .first();
            for (const { full_name } of threads) await table.locator('th', { hasText: full_name }).first().waitFor();
            await table.locator('tr', { hasText: 'lock account.mu' }).first().waitFor();
            await table.evaluate((one) => one.scrollIntoView({ block: 'start' })); // below what VS Code shows of the diagnostic
            await window.picture('hover');
            await page.mouse.move(600, 790);
        },
        'the view lists it by kind and file, with its state and places': async () => {
            await window.run('Heddle: Focus on Findings View');
            await window.findings.filter({ hasText: 'Data races' }).waitFor();
            await window.findings.filter({ hasText: 'bank.cpp' }).first().waitFor();
            const places = accesses.map(({ line }) => line).join(' ↔ ');
            const finding = window.findings.filter({ hasText: `account.balancewitnessed · ${places}` });
            await finding.click();
            await window.cursorIn(accesses[0].line);
            await finding.locator('.monaco-tl-twistie').click();
            await window.findings.filter({ hasText: 'in pay_bonus' }).click();
            await window.cursorIn(bonusLine);
            await window.picture('findings');
        },
        'commands go from place to place': async () => {
            await window.run('Heddle: Next Finding'); // round to the first
            await window.cursorIn(depositLine);
            await window.run('Heddle: Next Finding');
            await window.cursorIn(bonusLine);
            await window.run('Heddle: Previous Finding');
            await window.cursorIn(depositLine);
        },
        'the action opens the schedule: a lane a thread, the conflict marked where it ends': async () => {
            await window.quickFix('Show witness schedule');
            const drawing = window.witness;
            await drawing.locator('.wv').waitFor();
            assert.equal(await drawing.locator('.wv-thread').count(), threads.length);
            assert.equal(await drawing.getByRole('option').count(), shown);
            assert.equal(await drawing.locator('.wv-marked').count(), marked.length);
            await drawing.getByRole('heading', { name: "data race on 'account.balance' (witnessed)" }).waitFor();
            await until('the last step beside its line', () => window.note(note(steps.at(-1))));
            assert.equal(await window.markedLines(), 1);
            await window.picture('witness-dark');
        },
        'it is stepped through by slider, keys and clicks, and the source follows': async () => {
            const drawing = window.witness;
            const current = () => drawing.locator('.wv-row[aria-selected=true]').getAttribute('aria-label');
            const at = (step) => async () =>
                (await current()).startsWith(`Step ${step.step} of ${shown}, thread ${step.full_name}: ${step.words}`);
            const [before, last] = steps.slice(-2);
            assert.ok(await at(last)());
            await drawing.locator('.wv-slider').focus();
            await page.keyboard.press('ArrowLeft');
            await until('the slider to move', at(before));
            await until('the step beside its line', () => window.note(note(before)));
            await drawing.getByRole('option', { name: `Step ${lock.step} of` }).click();
            await window.cursorIn(lockLine);
            await until(
                'the mark to move along',
                async () => (await window.note(note(lock))) && !(await window.note(note(before))),
            );
            await drawing.getByRole('listbox').press('End');
            await drawing.getByRole('listbox').press('ArrowUp');
            await until('the keys to step', at(before));
            await drawing.getByRole('listbox').press('End');
            await drawing.getByRole('listbox').press('Enter');
            await window.cursorIn(last.line);
            await window.run('Heddle: Open Suppressions');
            const otherTab = page.locator('.tab.active', { hasText: 'suppressions' });
            await otherTab.waitFor();
            assert.ok(!(await window.note(note(last))));
            await otherTab.locator('.codicon-close').click();
            await until('the mark of an editor that is in front again', () => window.note(note(last)));
            await drawing.getByRole('radio', { name: 'As recorded' }).click();
            await drawing.getByText('The recorded run took').waitFor();
            await window.picture('witness-recorded');
            await drawing.getByRole('radio', { name: 'Schedule that fails' }).click();
            assert.deepEqual(refused, []);
        },
        'it is as good in other themes, and a screen reader can read it': async () => {
            await assertAccessible(await window.witnessFrame());
            await window.theme('Default Light Modern', 'vs:not(.vs-dark)');
            await window.picture('witness-light');
            await assertAccessible(await window.witnessFrame());
            await window.theme('Default High Contrast', 'hc-black');
            await window.picture('witness-contrast');
            await assertAccessible(await window.witnessFrame());
            await window.theme('Default High Contrast Light', 'hc-light');
            await window.picture('witness-contrast-light');
            await assertAccessible(await window.witnessFrame());
            await window.theme('Default Dark Modern', 'vs-dark');
        },
        'a replay makes it happen, once the person agrees': async () => {
            await window.run('Heddle: Replay Witness');
            await window.notification('Run this program, as it was recorded').waitFor();
            await window.picture('replay');
            await window.answer('Run this program, as it was recorded', 'Run');
            await window.notification("Confirmed: data race on 'account.balance'").waitFor();
            await window.findings.filter({ hasText: 'account.balance' }).filter({ hasText: 'confirmed' }).waitFor();
            await window.witness.getByRole('heading', { name: '(confirmed)' }).waitFor();
            await window.picture('confirmed');
        },
        'the lock is held by a quick fix, and the file is saved': async () => {
            await window.run('View: Focus First Editor Group');
            await window.goTo(bonusLine, 5);
            await window.quickFix("Hold 'to.mu' here: removes this race");
            const fixed =
                /pay_bonus\(Account &to\) \{\n    const std::lock_guard<std::mutex> \w+\(to\.mu\);\n    to\.balance \+= 25;/;
            await page.keyboard.press('Control+S');
            await until('the lock in the file', () => fixed.test(source()));
            await window.findings.filter({ hasText: 'as of the last run' }).first().waitFor();
            assert.equal(await window.markedLines(), 1);
            await window.picture('fixed');
            const bonus = marked.find(({ line }) => line === bonusLine);
            for (const [step, line] of [[lock, lockLine], [bonus, bonusLine + 1]]) {
                await window.witness.getByRole('option', { name: `Step ${step.step} of` }).click();
                await window.cursorIn(line); // as the lines are now
            }
        },
        'the tests are recorded again, and it is gone': async () => {
            home.settings({ 'heddle.testCommand': testCommand });
            await until('the daemon to know the command', async () => {
                await window.run('Heddle: Record Tests');
                return window.status('Heddle: recording', 2000).catch(() => false);
            });
            await window.status('Heddle: no findings');
            await until('no squiggles', async () => (await window.squiggles()).length === 0);
            await page.getByText('Nothing was found in the recorded runs').waitFor();
            await until('no lens', async () => (await window.lenses.count()) === 0);
            await window.witness.getByRole('heading', { name: '(no longer among the findings)' }).waitFor();
            await window.picture('corrected');
        },
    });
});
