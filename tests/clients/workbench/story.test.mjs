// From a recorded run to what a person sees and does in VS Code.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { bonusLine, depositLine, lockLine, openBank } from './bank.mjs';
import { until } from './browser.mjs';
import { Home, Workbench, story } from './workbench.mjs';

test('a race is seen, understood and dealt with', async (t) => {
    const home = new Home(t);
    openBank(home);
    const workbench = await Workbench.start(home);
    const window = await workbench.open('bank.cpp');
    const { page } = window;

    await story(window, {
        'both sides have squiggles, and the status bar tells how many there are': async () => {
            await window.status('Heddle: 1 race');
            const squiggles = page.locator('.editor-instance .squiggly-error');
            await until('two squiggles', async () => (await squiggles.count()) >= 2);
        },
        'the list of problems has the numbered schedule': async () => {
            await page.keyboard.press('Control+Shift+M');
            const problems = page.locator('.markers-panel');
            await problems.getByText("Data race on 'account.balance'").first().waitFor();
            for (const step of [
                '1/9 T0: fork T1',
                '6/9 T2 second: lock account.mu',
                '9/9 T3 bonus: read account.balance',
            ])
                await problems.getByText(step).first().waitFor();
            await window.picture('problems');
        },
        'the hover has the table': async () => {
            await page.locator('.editor-instance .squiggly-error').last().hover({ force: true });
            const hover = page.locator('.monaco-hover:visible', { hasText: 'account.balance' });
            await hover.locator('table').first().waitFor();
            await window.picture('hover');
            await page.mouse.move(600, 790);
        },
        'the view lists it by kind and file, with its state': async () => {
            await page.keyboard.press('Control+J'); // the list of problems has been seen
            await window.run('Heddle: Focus on Findings View');
            const rows = page.locator('.pane-body .monaco-list-row');
            await rows.filter({ hasText: 'Data races' }).waitFor();
            await rows.filter({ hasText: 'bank.cpp' }).first().waitFor();
            await rows.filter({ hasText: 'account.balance' }).filter({ hasText: 'witnessed' }).click();
            await window.cursorIn(depositLine);
        },
        'the action opens the schedule, which is stepped through while the source follows': async () => {
            await page
                .locator('.monaco-editor .view-lines')
                .first()
                .click({ position: { x: 200, y: 5 } });
            await window.run('Heddle: Next Finding');
            await window.cursorIn(depositLine);
            await window.quickFix('Show witness schedule');
            const drawing = window.witness;
            await drawing.locator('.wv').waitFor();
            await window.picture('witness-dark');
            const current = () => drawing.locator('.wv-row[aria-selected=true]').getAttribute('aria-label');
            assert.match(await current(), /^Step 9 of 9, thread T3 bonus: read account\.balance, bank\.cpp line 19/);

            await drawing.locator('.wv-slider').focus();
            await page.keyboard.press('ArrowLeft');
            await until('the slider to move', async () =>
                (await current()).startsWith('Step 8 of 9, thread T2 second: write'),
            );
            await until('the step beside its line', () => window.note('8/9 T2 second: write account.balance'));
            await drawing.getByRole('option', { name: 'Step 6 of' }).click();
            await window.cursorIn(lockLine);
            await drawing.getByRole('radio', { name: 'As recorded' }).click();
            await drawing.getByText('The recorded run took').waitFor();
            await drawing.getByRole('radio', { name: 'Schedule that fails' }).click();
            await drawing.getByRole('listbox').press('End');
            await drawing.getByRole('listbox').press('Enter');
            await window.cursorIn(bonusLine);
        },
        'it looks as good in a light theme and in high contrast': async () => {
            home.settings({ 'workbench.colorTheme': 'Default Light Modern' });
            await page.locator('.monaco-workbench.vs:not(.vs-dark)').waitFor();
            await window.picture('witness-light');
            home.settings({ 'workbench.colorTheme': 'Default High Contrast' });
            await page.locator('.monaco-workbench.hc-black').waitFor();
            await window.picture('witness-contrast');
            home.settings({});
            await page.locator('.monaco-workbench.vs-dark').waitFor();
        },
        'a quick fix is applied and saved': async () => {
            await window.run('Heddle: Next Finding');
            await window.quickFix('Suppress in the suppressions file');
            const file = path.join(home.work, '.heddle/suppressions');
            await until('the file', () => existsSync(file) && /race/.test(readFileSync(file, 'utf8')));
            await window.status('Heddle: no findings');
            await until(
                'no squiggles',
                async () => (await page.locator('.editor-instance .squiggly-error').count()) === 0,
            );
            await window.run('Heddle: Open Suppressions');
            await page.locator('.tab.active', { hasText: 'suppressions' }).waitFor();
        },
    });
});
