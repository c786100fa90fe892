// Bundles the extension and the page of its witness panel into one folder, `dist` or the one that is named.
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const dist = path.join(here, 'dist');
const common = { bundle: true, minify: true, logLevel: 'warning', absWorkingDir: here };

mkdirSync(dist, { recursive: true });
await build({
    ...common,
    entryPoints: ['src/extension.ts'],
    outfile: path.join(dist, 'extension.js'),
    platform: 'node',
    format: 'cjs',
    target: 'node18',
    external: ['vscode'],
});
await build({
    ...common,
    entryPoints: ['src/panel_page.ts'],
    outfile: path.join(dist, 'panel_page.js'),
    platform: 'browser',
    format: 'esm',
    target: 'chrome114',
});
copyFileSync(path.join(here, '../witness-view/witness_view.css'), path.join(dist, 'witness_view.css'));
copyFileSync(path.join(here, 'src/panel_page.css'), path.join(dist, 'panel_page.css'));
