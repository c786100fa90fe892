// Where the program heddle is, and whether it is recent enough.
import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import * as path from 'node:path';
import { promisify } from 'node:util';

/** The first version that answers `heddle.findings`. */
export const oldest = '0.1.0';

const run = promisify(execFile);

export interface Binary {
    path: string;
    version: string;
}

/** Why there is none that can be used: words for the person, and a few of them for the status bar. */
export class NoBinary extends Error {
    constructor(
        message: string,
        readonly brief: string,
    ) {
        super(message);
    }
}

function isProgram(file: string): boolean {
    try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
    } catch {
        return false;
    }
}

function onPath(name: string): string | undefined {
    const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
    return folders.map((folder) => path.join(folder, name)).find(isProgram);
}

/** In the folder of a clone of Heddle from which this extension may have been built. */
const beside = (extensionFolder: string): string => path.resolve(extensionFolder, '../../build/bin/heddle');

function locate(setting: string, extensionFolder: string): string {
    if (setting !== '') {
        if (isProgram(setting)) return setting;
        throw new NoBinary(`'${setting}', the setting heddle.path, is no program.`, 'not found');
    }
    const found = onPath('heddle') ?? [beside(extensionFolder)].find(isProgram);
    if (found !== undefined) return found;
    throw new NoBinary(
        'The program heddle was not found on the PATH. Install Heddle, or set heddle.path to where it is.',
        'not found',
    );
}

export function isOlder(version: string, than: string): boolean {
    const parts = (text: string) => text.split('.').map((part) => Number.parseInt(part, 10) || 0);
    const [one, other] = [parts(version), parts(than)];
    for (let i = 0; i < Math.max(one.length, other.length); ++i) {
        const difference = (one[i] ?? 0) - (other[i] ?? 0);
        if (difference !== 0) return difference < 0;
    }
    return false;
}

/** Runs it once to ask for its version. */
export async function findBinary(setting: string, extensionFolder: string): Promise<Binary> {
    const file = locate(setting, extensionFolder);
    let said: string;
    try {
        said = (await run(file, ['--version'], { timeout: 20_000 })).stdout;
    } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new NoBinary(`${file} cannot be run: ${why}`, 'cannot be run');
    }
    const version = /^heddle (\d[\d.]*)/.exec(said)?.[1];
    if (version === undefined) {
        throw new NoBinary(`${file} is not Heddle: it does not tell its version.`, 'not found');
    }
    if (isOlder(version, oldest)) {
        throw new NoBinary(
            `${file} is Heddle ${version}; this extension needs ${oldest} or later. Install a newer Heddle.`,
            'too old',
        );
    }
    return { path: file, version };
}
