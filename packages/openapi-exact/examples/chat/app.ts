import express, { type Express } from 'express';
import { EventEmitter, on } from 'node:events';
import { contractMiddleware, loadContract, type Handlers } from 'openapi-exact';
import type { components, operations } from './generated/openapi.d.ts';

type Message = components['schemas']['Message'] & { readonly id: bigint };

/** The application: a chat whose messages are kept in memory. */
export async function createApp(): Promise<Express> {
  const contract = await loadContract(new URL('openapi.yaml', import.meta.url));
  return express().use(await contractMiddleware({ contract, handlers: chatHandlers() }));
}

function chatHandlers(): Handlers<operations> {
  const messages: Message[] = [];
  const sent = new EventEmitter();
  return {
    sendMessage: ({ body }) => {
      const message = { ...body, id: BigInt(messages.length + 1) };
      messages.push(message);
      sent.emit('message', message);
      return { status: 201, body: message };
    },

    findMessages: ({ body: { from, words } }) => {
      const isFound = (message: Message): boolean =>
        (from === undefined || message.from === from) && words.every((word) => message.text.includes(word));
      return { status: 200, body: messages.filter(isFound) };
    },

    exportMessages: () => ({ status: 200, body: messages }),

    watchMessages: ({ signal }) => ({ status: 200, body: messageEvents(sent, signal) }),
  };
}

/** An event for each message, until the client leaves. */
async function* messageEvents(sent: EventEmitter, signal: AbortSignal): AsyncGenerator<{ id: string; data: Message }> {
  try {
    for await (const [message] of on(sent, 'message', { signal }) as AsyncIterable<[Message]>) {
      yield { id: String(message.id), data: message };
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
