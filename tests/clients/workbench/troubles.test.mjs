// What can be wrong at the start, and what a person is told then.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';

import { copyBank, openBank, testCommand } from './bank.mjs';
import { until } from './browser.mjs';
import { Home, Workbench, heddle, story } from './workbench.mjs';

test('a program that is missing, old or no Heddle is told, and what to do about it; the right one is then used', async (t) => {
    const home = new Home(t);
    openBank(home);
    home.replaceProgram(null);
    const workbench = await Workbench.start(home);
    const window = await workbench.open('bank.cpp');
    await story(window, {
        'no program': async () => {
            await window.status('Heddle: not found');
            await window.notification('Install Heddle, or set heddle.path').waitFor();
            await window.picture('not-found');
        },
        'one that was built beside the extension': async () => {
            home.buildBeside();
            await window.run('Heddle: Restart');
            await window.status('Heddle: 1 race');
        },
        'an old one goes over it, as it is on the PATH': async () => {
            home.replaceProgram('#!/bin/sh\necho heddle 0.0.7\n');
            await window.run('Heddle: Restart');
            await window
                .notification('is Heddle 0.0.7; this extension needs 0.1.0 or later. Install a newer Heddle.')
                .waitFor();
            await window.status('Heddle: too old');
            await window.picture('old');
        },
        'something else': async () => {
            home.replaceProgram('#!/bin/sh\necho hello\n');
            await window.run('Heddle: Restart');
            await window.notification('is not Heddle').waitFor();
        },
        'one that crashes': async () => {
            home.replaceProgram(`#!/bin/sh\n[ "$1" = --version ] && exec ${heddle} --version\nkill -SEGV $$\n`);
            await window.run('Heddle: Restart');
            await window.status('Heddle: failed');
            await window.notification('The daemon ended while it was starting. The log tells more.').waitFor();
            await window.picture('crashed');
            const others = window.page.locator('.notification-list-item').filter({ hasNotText: 'Heddle: ' });
            assert.deepEqual(await others.allTextContents(), [], 'all that is said is ours');
        },
        'one that runs, and then crashes again and again': async () => {
            const ran = path.join(home.folder, 'ran');
            home.replaceProgram(
                `#!/bin/sh\n[ "$1" = --version ] && exec ${heddle} --version\n[ -e ${ran} ] && kill -SEGV $$\ntouch ${ran}\nexec ${heddle} "$@"\n`,
            );
            await window.run('Heddle: Restart');
            await window.status('Heddle: 1 race');
            home.stopDaemon();
            await window.status('Heddle: failed');
            await window.notification('The daemon ended 4 times within a minute').waitFor();
        },
        'the right one, named by the setting': async () => {
            home.settings({ 'heddle.path': heddle });
            await window.status('Heddle: 1 race');
        },
        'a daemon that is killed comes back': async () => {
            home.stopDaemon();
            await window.status('Heddle: 1 race');
        },
    });
});

test('nothing is run in a folder that is not trusted', async (t) => {
    const home = new Home(t);
    openBank(home);
    home.replaceProgram(`#!/bin/sh\ntouch ${path.join(home.folder, 'ran')}\nexec ${heddle} "$@"\n`);
    const workbench = await Workbench.start(home, { trusted: false });
    const window = await workbench.open('bank.cpp');
    await story(window, {
        'it is said': async () => {
            await window.status('Heddle: restricted');
            await window.run('Heddle: Focus on Findings View');
            await window.page.getByText('Nothing is run in a folder that is not trusted').waitFor();
            await window.picture('restricted');
            assert.ok(!home.has('ran'), 'the program was run');
        },
        'it runs once the folder is trusted': async () => {
            await window.run('Workspaces: Manage Workspace Trust');
            await window.page
                .getByRole('button', { name: /^Trust/ })
                .first()
                .click();
            await window.status('Heddle: 1 race');
            assert.ok(home.has('ran'), 'the program was not run');
        },
    });
});

test('without traces the tests are recorded; a second window on the folder shows the same', async (t) => {
    const home = new Home(t);
    copyBank(home);
    const workbench = await Workbench.start(home);
    const [one, other] = await Promise.all([workbench.open('bank.cpp'), workbench.open('bank.cpp')]);
    await story(one, {
        'there is nothing yet, and what to do': async () => {
            await one.status('Heddle: no traces');
            await one.run('Heddle: Focus on Findings View');
            await one.page.getByText('No run has been recorded yet').waitFor();
            await one.picture('no-traces');
        },
        'recording needs a command': async () => {
            await one.run('Heddle: Record Tests');
            await one.notification('no test command is set').waitFor();
        },
        'a recorded run shows in both windows': async () => {
            home.settings({ 'heddle.testCommand': testCommand });
            await until('the daemon to know the command', async () => {
                await one.run('Heddle: Record Tests');
                return one.status('Heddle: recording', 2000).catch(() => false);
            });
            for (const window of [one, other]) await window.status(/Heddle: \d races?/);
        },
    });
});
