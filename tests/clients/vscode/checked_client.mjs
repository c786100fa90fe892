// The client of the tests: every message that it hears is checked.
import { Client } from './client.mjs';
import { keepMessage } from './typed_messages.mjs';

Client.keep = keepMessage;

export * from './client.mjs';
