// The view of findings: kinds, below them files, below them findings and their places.
import * as path from 'node:path';
import * as vscode from 'vscode';

import type { Kind, ListedFinding, Place } from './protocol';

const kindNames: Record<Kind, string> = {
    race: 'Data races',
    atomicity: 'Atomicity violations',
    deadlock: 'Deadlocks',
};

type Node =
    | { is: 'kind'; kind: Kind; findings: ListedFinding[] }
    | { is: 'file'; uri: vscode.Uri; findings: ListedFinding[] }
    | { is: 'finding'; finding: ListedFinding }
    | { is: 'place'; place: Place; file: string };

/** What commands on items of the view get. */
export interface FindingItem {
    finding: ListedFinding;
}

export const location = (place: Place): vscode.Location =>
    new vscode.Location(
        vscode.Uri.parse(place.uri),
        new vscode.Range(
            place.range.start.line,
            place.range.start.character,
            place.range.end.line,
            place.range.end.character,
        ),
    );

/** "witnessed", "confirmed, as of the last run" */
export const stateWords = ({ state, stale }: ListedFinding): string => (stale ? `${state}, as of the last run` : state);

/** "hits[3] and 63 more" */
const subjectOf = ({ variable, variables = 1, headline }: ListedFinding): string =>
    variable === undefined ? headline : variables > 1 ? `${variable} and ${variables - 1} more` : variable;

/** The file that a finding is listed under. */
const fileOf = (finding: ListedFinding): string => finding.places[0]?.uri ?? '';

/** "15", or "bank.cpp:15" where that is not the file over it. There is little room. */
const shortPlace = (place: Place, file: string): string =>
    place.uri === file ? `${place.line}` : `${path.basename(vscode.Uri.parse(place.uri).path)}:${place.line}`;

/** As they are in the file. */
function byPlace(one: ListedFinding, other: ListedFinding): number {
    const [first, second] = [one.places[0], other.places[0]];
    if (!first || !second) return 0;
    return location(first).range.start.compareTo(location(second).range.start);
}

const goTo = (place: Place): vscode.Command => {
    const { uri, range } = location(place);
    return { title: 'Go to Source', command: 'vscode.open', arguments: [uri, { selection: range }] };
};

/** As serious as the squiggles are: what is inferred is a guess, whatever the schedule. */
function stateIcon(finding: ListedFinding): vscode.ThemeIcon {
    const colour = (name: string) => new vscode.ThemeColor(name);
    if (finding.stale) return new vscode.ThemeIcon('history', colour('disabledForeground'));
    if (finding.intent === 'inferred') return new vscode.ThemeIcon('warning', colour('list.warningForeground'));
    if (finding.state === 'confirmed') return new vscode.ThemeIcon('flame', colour('list.errorForeground'));
    if (finding.state === 'witnessed') return new vscode.ThemeIcon('error', colour('list.errorForeground'));
    return new vscode.ThemeIcon('warning', colour('list.warningForeground'));
}

function group<Item>(items: Item[], key: (item: Item) => string): Map<string, Item[]> {
    const groups = new Map<string, Item[]>();
    for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
    return groups;
}

export class FindingsTree implements vscode.TreeDataProvider<Node> {
    private findings_: ListedFinding[] = [];
    private readonly changed = new vscode.EventEmitter<void>();

    readonly onDidChangeTreeData = this.changed.event;

    get findings(): readonly ListedFinding[] {
        return this.findings_;
    }

    show(findings: ListedFinding[]): void {
        if (JSON.stringify(findings) === JSON.stringify(this.findings_)) return;
        this.findings_ = findings;
        this.changed.fire();
    }

    getChildren(node?: Node): Node[] {
        if (!node) {
            return (Object.keys(kindNames) as Kind[])
                .map((kind) => ({
                    is: 'kind' as const,
                    kind,
                    findings: this.findings_.filter((one) => one.kind === kind),
                }))
                .filter((kind) => kind.findings.length > 0);
        }
        if (node.is === 'kind') {
            const files = group(node.findings, fileOf);
            return [...files].map(([uri, findings]) => ({ is: 'file', uri: vscode.Uri.parse(uri), findings }));
        }
        if (node.is === 'file')
            return [...node.findings].sort(byPlace).map((finding) => ({ is: 'finding', finding }));
        if (node.is === 'finding') {
            const file = fileOf(node.finding);
            return node.finding.places.map((place) => ({ is: 'place', place, file }));
        }
        return [];
    }

    getTreeItem(node: Node): vscode.TreeItem {
        switch (node.is) {
            case 'kind':
                return this.groupItem(kindNames[node.kind], node.findings.length);
            case 'file': {
                const item = this.groupItem(
                    path.basename(node.uri.path) || 'not in a source file',
                    node.findings.length,
                );
                item.resourceUri = node.uri;
                item.iconPath = vscode.ThemeIcon.File;
                return item;
            }
            case 'finding':
                return this.findingItem(node.finding);
            case 'place':
                return this.placeItem(node.place, node.file);
        }
    }

    private groupItem(label: string, count: number): vscode.TreeItem {
        const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
        item.description = String(count);
        return item;
    }

    private findingItem(finding: ListedFinding): vscode.TreeItem {
        const item = new vscode.TreeItem(
            subjectOf(finding),
            vscode.TreeItemCollapsibleState.Collapsed,
        );
        const state = stateWords(finding);
        const file = fileOf(finding);
        const inferred = finding.intent === 'inferred' ? ', inferred' : '';
        const places = new Set(finding.places.map((place) => shortPlace(place, file)));
        item.description = `${state}${inferred} · ${[...places].join(' ↔ ')}`;
        const when = finding.recorded ? ` at ${new Date(finding.recorded).toLocaleString()}` : '';
        item.tooltip = `${finding.message}\n\n${state}; recorded from ${finding.test}${when}`;
        item.iconPath = stateIcon(finding);
        item.contextValue = finding.witness ? 'witnessed' : 'possible';
        item.id = finding.bug;
        if (finding.places[0]) item.command = goTo(finding.places[0]);
        return item;
    }

    private placeItem(place: Place, file: string): vscode.TreeItem {
        const item = new vscode.TreeItem(`${place.operation} in ${place.function || 'unknown'}`);
        const holding = place.locks.length > 0 ? `holding ${place.locks.join(', ')}` : 'holding nothing';
        item.description = `${shortPlace(place, file)} · ${place.thread}, ${holding}`;
        item.tooltip = `${item.label} (${place.thread}), ${holding}`;
        item.command = goTo(place);
        return item;
    }
}
