// Those who are told, for real: a web server that keeps what was posted to it, and a mail server that keeps its mails.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedPost {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebReceiver {
  readonly url: string;
  readonly received: ReceivedPost[];
  /** What it answers from now on; 204 until then. */
  answers: (post: ReceivedPost) => number;
  close(): Promise<void>;
}

export async function webReceiver(): Promise<WebReceiver> {
  const received: ReceivedPost[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const post = { path: request.url ?? '', headers: request.headers as Record<string, string>, body };
      received.push(post);
      response.writeHead(receiver.answers(post)).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: WebReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers: () => 204,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

export interface MailReceiver {
  readonly url: string;
  /** As they came over the wire. */
  readonly mails: { readonly to: readonly string[]; readonly text: string }[];
  /** null: it takes every mail. */
  refusal: string | null;
  close(): Promise<void>;
}

export async function mailReceiver(): Promise<MailReceiver> {
  const mails: MailReceiver['mails'] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      let text = '';
      stream.setEncoding('utf8').on('data', (part: string) => (text += part));
      stream.on('end', () => {
        if (receiver.refusal !== null) return done(new Error(receiver.refusal));
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const receiver: MailReceiver = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    refusal: null,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return receiver;
}
