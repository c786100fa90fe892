// An editor without a screen: starts `heddle lsp` on the folder it stands in, opens one file, and prints what a person
// would see: squiggles, the list of problems, a hover. Usage: editor.mjs HEDDLE FILE
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [heddle, file] = process.argv.slice(2);
const server = spawn(heddle, ['lsp', '--no-cache'], { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map(); // by id: who waits for the answer
const listeners = new Map(); // by method: who waits for the next such message
let received = Buffer.alloc(0);
let requests = 0;

function send(message) {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
const notify = (method, params) => send({ method, params });
function request(method, params) {
  const id = ++requests;
  send({ id, method, params });
  return new Promise((answered) => waiting.set(id, answered));
}
const next = (method) => new Promise((come) => listeners.set(method, come));

server.stdout.on('data', (bytes) => {
  received = Buffer.concat([received, bytes]);
  for (;;) {
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/Content-Length: (\d+)/.exec(received.subarray(0, end).toString())[1]);
    if (received.length < end + 4 + length) return;
    const message = JSON.parse(received.subarray(end + 4, end + 4 + length).toString());
    received = received.subarray(end + 4 + length);
    if (message.method) listeners.get(message.method)?.(message.params);
    else waiting.get(message.id)?.(message.result);
  }
});

const uri = pathToFileURL(resolve(file)).href;
const text = readFileSync(file, 'utf8');
const lines = text.split('\n');

await request('initialize', {
  processId: process.pid,
  rootUri: pathToFileURL(process.cwd()).href,
  capabilities: {
    textDocument: { publishDiagnostics: { relatedInformation: true }, hover: { contentFormat: ['markdown'] } },
  },
});
const published = next('textDocument/publishDiagnostics');
notify('initialized', {});
notify('textDocument/didOpen', { textDocument: { uri, languageId: 'cpp', version: 1, text } });
const { diagnostics } = await published;

for (const { range, severity, message, source, code } of diagnostics) {
  const { line, character } = range.start;
  console.log(`${String(line + 1).padStart(4)} | ${lines[line]}`);
  console.log(`     | ${' '.repeat(character)}${'~'.repeat(range.end.character - character)}`);
  console.log(`${severity === 1 ? 'error' : 'warning'} [${source} ${code}]: ${message}\n`);
}
const [first] = diagnostics;
console.log(`The schedule, as the list of problems shows it below the first of ${diagnostics.length}:`);
for (const { location, message } of first.relatedInformation) {
  console.log(`   ${message}   ${location.uri.split('/').pop()}:${location.range.start.line + 1}`);
}
const hover = await request('textDocument/hover', { textDocument: { uri }, position: first.range.start });
console.log(`\nThe hover over it:\n\n${hover.contents.value}`);

await request('shutdown', null);
server.on('exit', (status) => process.exit(status ?? 1));
notify('exit', null);
