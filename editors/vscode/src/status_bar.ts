// The item in the status bar: how Heddle is, and a menu.
import * as vscode from 'vscode';

import type { Health } from './daemon';
import type { Status } from './protocol';

interface Look {
    text: string;
    tooltip: string;
    bad?: boolean;
}

function lookOf(status: Status): Look {
    const found = status.races + status.atomicityViolations + status.deadlocks;
    const idle = found > 0 ? '$(bug)' : status.traces > 0 ? '$(check)' : '$(circle-outline)';
    const icon = { recording: '$(record)', analysing: '$(sync~spin)', idle }[status.state];
    const runs = `${status.traces} recorded ${status.traces === 1 ? 'run' : 'runs'}`;
    return { text: `${icon} Heddle: ${status.text}`, tooltip: `Heddle: ${status.text} (${runs}). Click for the menu.` };
}

export function look(health: Health): Look {
    switch (health.is) {
        case 'untrusted':
            return { text: '$(shield) Heddle: restricted', tooltip: 'Nothing is run in a folder that is not trusted.' };
        case 'starting':
            return { text: '$(sync~spin) Heddle: starting', tooltip: 'Heddle is starting.' };
        case 'stopped':
            return { text: '$(circle-slash) Heddle: stopped', tooltip: 'Heddle is not running.' };
        case 'missing':
            return { text: `$(error) Heddle: ${health.brief}`, tooltip: health.why, bad: true };
        case 'failed':
            return { text: '$(error) Heddle: failed', tooltip: health.why, bad: true };
        case 'running':
            return health.status ? lookOf(health.status) : { text: '$(check) Heddle', tooltip: 'Heddle is running.' };
    }
}

export class StatusBar implements vscode.Disposable {
    private readonly item = vscode.window.createStatusBarItem('heddle.status', vscode.StatusBarAlignment.Left, 10);

    constructor() {
        this.item.name = 'Heddle';
        this.item.command = 'heddle.menu';
    }

    show(health: Health): void {
        const { text, tooltip, bad } = look(health);
        this.item.text = text;
        this.item.tooltip = tooltip;
        this.item.accessibilityInformation = { label: text.replace(/\$\([^)]*\) /, ''), role: 'button' };
        this.item.backgroundColor = bad ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
        this.item.show();
    }

    dispose(): void {
        this.item.dispose();
    }
}
