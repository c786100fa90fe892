// A client made of VS Code's own library. It remembers what the daemon said. Tests use it as checked_client.mjs has it.
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import net from 'node:net';
import protocol from 'vscode-languageserver-protocol/node.js';

import { heddle } from './workspace.mjs';

const patience = 60_000; // milliseconds, for what takes a few on an idle machine

/** What VS Code can do, as far as the daemon asks for it. */
export const everything = {
    general: { positionEncodings: ['utf-16'] },
    textDocument: {
        publishDiagnostics: { relatedInformation: true, versionSupport: true, dataSupport: true },
        hover: { contentFormat: ['markdown', 'plaintext'] },
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } }, dataSupport: true },
    },
    window: { workDoneProgress: true, showDocument: { support: true }, showMessage: {} },
    workspace: { workspaceFolders: true },
};

/** Hands on what a reader reads, after `seen` saw it. */
class WatchedReader {
    constructor(reader, seen) {
        this.reader = reader;
        this.seen = seen;
        this.onError = reader.onError;
        this.onClose = reader.onClose;
        this.onPartialMessage = reader.onPartialMessage;
    }

    listen(take) {
        return this.reader.listen((message) => {
            this.seen(message);
            take(message);
        });
    }

    dispose() {
        this.reader.dispose();
    }
}

class WatchedWriter {
    constructor(writer, seen) {
        this.writer = writer;
        this.seen = seen;
        this.onError = writer.onError;
        this.onClose = writer.onClose;
    }

    write(message) {
        this.seen(message);
        return this.writer.write(message);
    }

    end() {
        this.writer.end();
    }

    dispose() {
        this.writer.dispose();
    }
}

export class Client {
    /** Called with every message, and with the method of the request that it answers. */
    static keep = () => {};

    #changed = new EventEmitter().setMaxListeners(0);
    #asked = new Map();

    /** By URI: the last that was published. */
    diagnostics = new Map();
    /** Notifications and requests of the daemon, in the order of their arrival. */
    heard = [];
    /** What workspace/configuration is answered with. */
    settings = null;

    constructor(input, output) {
        this.connection = protocol.createProtocolConnection(
            new WatchedReader(new protocol.StreamMessageReader(input), (message) => this.#hear(message)),
            new WatchedWriter(new protocol.StreamMessageWriter(output), (message) => {
                if ('id' in message && 'method' in message) this.#asked.set(message.id, message.method);
            }),
            { error() {}, warn() {}, info() {}, log() {} },
        );
        this.connection.onRequest('workspace/configuration', (params) => params.items.map(() => this.settings));
        const agreed = ['client/registerCapability', 'window/workDoneProgress/create'];
        const refreshes = ['diagnostic', 'codeLens', 'inlayHint'].map((what) => `workspace/${what}/refresh`);
        for (const method of [...agreed, ...refreshes]) this.connection.onRequest(method, () => null);
        this.connection.onRequest('window/showDocument', () => ({ success: true }));
        this.connection.onError(() => {});
        this.closed = new Promise((resolve) => this.connection.onClose(resolve));
        this.connection.listen();
    }

    #hear(message) {
        Client.keep(message, this.#asked.get(message.id));
        if (!('method' in message)) this.#asked.delete(message.id);
        if ('method' in message) this.heard.push(message);
        if (message.method === 'textDocument/publishDiagnostics')
            this.diagnostics.set(message.params.uri, message.params);
        this.#changed.emit('change');
    }

    /** Waits until `condition` gives something that counts as true, and returns that. */
    async until(what, condition) {
        const deadline = AbortSignal.timeout(patience);
        for (;;) {
            const result = condition();
            if (result) return result;
            try {
                await once(this.#changed, 'change', { signal: deadline });
            } catch {
                throw new Error(`waited in vain for ${what}; heard: ${JSON.stringify(this.heard)}`);
            }
        }
    }

    /** Asks for the daemon's status until it is one that `condition` takes. */
    async untilStatus(what, condition) {
        const deadline = Date.now() + patience;
        for (;;) {
            const status = await this.execute('heddle.status');
            if (condition(status)) return status;
            if (Date.now() > deadline) throw new Error(`waited in vain for ${what}; last: ${JSON.stringify(status)}`);
        }
    }

    /** Until nothing is analysed: on a busy machine findings are shown before there are witnesses. */
    untilIdle() {
        const idle = ({ analysing }) => analysing === 0;
        return this.untilStatus('the end of the analysis', ({ workspaces }) => workspaces.every(idle));
    }

    /** Until all runs of the first folder have been analysed to their ends, and it is as `condition` wants it. */
    untilAnalysed(what, condition) {
        const idle = (one) => one?.growing === 0 && one.analysing === 0;
        return this.untilStatus(what, ({ workspaces: [one] }) => idle(one) && condition(one));
    }

    initialize(workspace, capabilities = everything, more = {}) {
        return this.request('initialize', {
            processId: process.pid,
            clientInfo: { name: 'conformance' },
            rootUri: workspace?.uri() ?? null,
            workspaceFolders: workspace ? [{ uri: workspace.uri(), name: 'work' }] : null,
            capabilities,
            ...more,
        });
    }

    /** Does everything up to the point from which diagnostics may come. */
    async begin(workspace, capabilities, more) {
        const result = await this.initialize(workspace, capabilities, more);
        await this.notify('initialized', {});
        return result;
    }

    request(method, ...params) {
        return this.connection.sendRequest(method, ...params);
    }

    notify(method, params) {
        return this.connection.sendNotification(method, params);
    }

    open(uri, text) {
        return this.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'cpp', version: 1, text } });
    }

    execute(command, ...args) {
        return this.request('workspace/executeCommand', { command, arguments: args });
    }

    /** The diagnostics of a document, as soon as there are `count` of them, and all is known of them. */
    async published(uri, count) {
        const shown = () => this.diagnostics.get(uri)?.diagnostics;
        await this.until(`${count} diagnostics of ${uri}`, () => (shown() ?? []).length === count && shown());
        await this.untilIdle();
        return shown();
    }

    /** All that was heard of one kind. */
    of(method) {
        return this.heard.filter((message) => message.method === method).map((message) => message.params);
    }

    async leave() {
        await this.request('shutdown');
        await this.notify('exit');
    }
}

/** `heddle lsp` with these words, on standard input and output. */
export function startStdio(workspace, ...words) {
    const child = spawn(heddle, ['lsp', ...words], {
        cwd: workspace.folder,
        env: workspace.environment,
        stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.on('error', () => {}); // a daemon that has ended reads no more
    const ended = once(child, 'exit');
    const client = new Client(child.stdout, child.stdin);
    client.child = child;
    client.exitCode = ended.then(([code]) => code);
    workspace.beforeRemoval(async () => {
        client.connection.dispose();
        child.kill('SIGKILL');
        await ended;
    });
    return client;
}

/** `heddle lsp --listen …`, once it listens. Gives the lines that it printed. */
export async function startDaemon(workspace, where, environment = {}) {
    const child = spawn(heddle, ['lsp', '--listen', where], {
        cwd: workspace.folder,
        env: { ...workspace.environment, ...environment },
        stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    workspace.beforeRemoval(async () => {
        child.kill('SIGKILL');
        await ended;
    });
    const [said] = await once(child.stdout, 'data');
    return { child, exitCode: ended.then(([code]) => code), lines: said.toString().trim().split('\n') };
}

/** A client at a socket: `to` is what net.connect takes. */
export async function connectTo(t, to) {
    const socket = net.connect(to);
    await once(socket, 'connect');
    socket.on('error', () => {});
    const client = new Client(socket, socket);
    client.socket = socket;
    t.after(() => {
        client.connection.dispose();
        socket.destroy();
    });
    return client;
}
