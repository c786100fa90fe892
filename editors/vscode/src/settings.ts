// The settings that go to the daemon: only those that the person has set, so that the defaults of this extension do not
// hide what the workspace's own .heddle/config.json says.
import * as vscode from 'vscode';

/** Of the extension itself; the daemon does not know them. */
const own = new Set(['path', 'shareDaemon']);

export const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('heddle');

export function settingsForDaemon(names: Iterable<string>): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const name of names) {
        if (own.has(name)) continue;
        const known = settings().inspect(name);
        const set = known?.workspaceFolderValue ?? known?.workspaceValue ?? known?.globalValue;
        if (set !== undefined) result[name] = set;
    }
    return result;
}

/** The names of all settings, as the manifest has them. */
export function settingNames(manifest: { contributes: { configuration: { properties: object } } }): string[] {
    return Object.keys(manifest.contributes.configuration.properties).map((name) => name.replace(/^heddle\./, ''));
}
