// What the palette, the menus and the keys call.
import * as path from 'node:path';
import * as vscode from 'vscode';

import type { Daemon } from './daemon';
import { location, type FindingItem, type FindingsTree } from './findings_tree';
import { commands, type ListedFinding } from './protocol';
import type { WitnessPanel } from './witness_panel';

/** What `heddle.status` says of one folder. */
interface FolderStatus {
    folder: string;
    suppressions: string;
}

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export class Commands {
    constructor(
        private readonly daemon: Daemon,
        private readonly tree: FindingsTree,
        private readonly panel: WitnessPanel,
    ) {}

    register(): vscode.Disposable[] {
        const all: Record<string, (item?: FindingItem) => unknown> = {
            'heddle.record': () => this.record(),
            'heddle.analyse': () => this.daemon.ask(commands.analyseNow),
            'heddle.witness': async (item) => this.withFinding(item, (bug) => this.showWitness(bug)),
            'heddle.replayWitness': async (item) => this.withFinding(item, (bug) => this.replay(bug)),
            'heddle.nextFinding': () => this.step(+1),
            'heddle.previousFinding': () => this.step(-1),
            'heddle.openSuppressions': () => this.openSuppressions(),
            'heddle.showLog': () => this.daemon.showLog(),
            'heddle.restart': () => this.daemon.restart(),
            'heddle.firstSteps': () => this.openFirstSteps(),
            'heddle.menu': () => this.menu(),
        };
        return Object.entries(all).map(([name, act]) =>
            vscode.commands.registerCommand(name, async (item?: FindingItem) => {
                try {
                    await act(item);
                } catch (error) {
                    void vscode.window.showErrorMessage(`Heddle: ${message(error)}`);
                }
            }),
        );
    }

    async showWitness(bug: string): Promise<void> {
        this.panel.show(await this.daemon.witness(bug));
    }

    /** The daemon asks before it runs anything, shows its progress, and tells how it went. */
    async replay(bug: string): Promise<void> {
        await this.daemon.ask(commands.replay, { bug });
    }

    private async record(): Promise<void> {
        try {
            await this.daemon.ask(commands.recordTests);
        } catch (error) {
            const settings = 'Open Settings';
            const chosen = await vscode.window.showErrorMessage(`Heddle: ${message(error)}`, settings);
            if (chosen === settings)
                await vscode.commands.executeCommand('workbench.action.openSettings', 'heddle.testCommand');
        }
    }

    /** Of the item, at the cursor, the only one, or the one that the person picks. */
    private async withFinding(item: FindingItem | undefined, act: (bug: string) => Promise<void>): Promise<void> {
        const finding = item?.finding ?? (await this.choose());
        if (finding) await act(finding.bug);
    }

    private async choose(): Promise<ListedFinding | undefined> {
        const findings = this.tree.findings.filter((finding) => finding.witness);
        if (findings.length === 0) throw new Error('there is no finding with a witness.');
        const here = findings.filter((finding) => this.touchesCursor(finding));
        const offered = here.length > 0 ? here : findings;
        if (offered.length === 1) return offered[0];
        const items = offered.map((finding) => ({ label: finding.headline, detail: finding.message, finding }));
        return (await vscode.window.showQuickPick(items, { title: 'Of which finding?' }))?.finding;
    }

    private touchesCursor(finding: ListedFinding): boolean {
        const editor = vscode.window.activeTextEditor;
        if (!editor) return false;
        const line = editor.selection.active.line;
        return finding.places.map(location).some(({ uri, range }) => {
            return (
                uri.toString() === editor.document.uri.toString() && range.start.line <= line && line <= range.end.line
            );
        });
    }

    /** To the next place of a finding after the cursor, or the one before it, over all files and round. */
    private async step(direction: 1 | -1): Promise<void> {
        const compare = (one: vscode.Location, other: vscode.Location): number =>
            one.uri.path < other.uri.path
                ? -1
                : one.uri.path > other.uri.path
                  ? 1
                  : one.range.start.compareTo(other.range.start);
        const places = this.tree.findings.flatMap((finding) => finding.places.map(location)).sort(compare);
        if (places.length === 0) throw new Error('there are no findings.');
        if (direction < 0) places.reverse();
        const editor = vscode.window.activeTextEditor;
        const here = editor && new vscode.Location(editor.document.uri, editor.selection.active);
        const next = (here && places.find((place) => compare(place, here) * direction > 0)) ?? places[0];
        if (!next) return;
        await vscode.window.showTextDocument(next.uri, {
            selection: new vscode.Range(next.range.start, next.range.start),
        });
    }

    private async openSuppressions(): Promise<void> {
        const { workspaces } = await this.daemon.ask<{ workspaces: FolderStatus[] }>(commands.status);
        const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
        const own = workspaces.find((one) => folders.includes(path.normalize(one.folder)));
        if (!own) throw new Error('open a folder first: its suppressions are in a file there.');
        const file = vscode.Uri.file(own.suppressions);
        const exists = await vscode.workspace.fs.stat(file).then(
            () => true,
            () => false,
        );
        await vscode.window.showTextDocument(exists ? file : file.with({ scheme: 'untitled' }));
    }

    /** A context ticks off a step when it comes, not when it is there before the steps are: so there is one that comes now. */
    private async openFirstSteps(): Promise<void> {
        await vscode.commands.executeCommand('setContext', 'heddle.stepsOpen', false);
        await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'heddle.heddle#start');
        await vscode.commands.executeCommand('setContext', 'heddle.stepsOpen', true);
    }

    private async menu(): Promise<void> {
        const { health } = this.daemon;
        const running = health.is === 'running';
        const known = health.is === 'running' && health.status ? `Heddle: ${health.status.text}` : 'Heddle';
        const title = 'why' in health ? health.why : known;
        const entry = (label: string, command: string, shown = true) => (shown ? [{ label, command }] : []);
        const items = [
            ...entry('$(shield) Manage Workspace Trust', 'workbench.trust.manage', health.is === 'untrusted'),
            ...entry('$(list-tree) Show Findings', 'heddle.findings.focus', running),
            ...entry('$(arrow-down) Next Finding', 'heddle.nextFinding', running),
            ...entry('$(graph-line) Show Witness', 'heddle.witness', running),
            ...entry('$(debug-rerun) Replay Witness', 'heddle.replayWitness', running && this.daemon.canReplay),
            ...entry('$(record) Record Tests', 'heddle.record', running),
            ...entry('$(refresh) Analyse Now', 'heddle.analyse', running),
            ...entry('$(eye-closed) Open Suppressions', 'heddle.openSuppressions', running),
            ...entry('$(book) First Steps', 'heddle.firstSteps'),
            ...entry('$(settings-gear) Settings', 'heddle.settings'),
            ...entry('$(output) Show Log', 'heddle.showLog'),
            ...entry('$(debug-restart) Restart', 'heddle.restart', health.is !== 'untrusted'),
        ];
        const chosen = await vscode.window.showQuickPick(items, { title });
        if (chosen?.command === 'heddle.settings')
            await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:heddle.heddle');
        else if (chosen) await vscode.commands.executeCommand(chosen.command);
    }
}
