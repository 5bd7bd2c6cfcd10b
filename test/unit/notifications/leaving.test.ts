// What leaves the machine says only what it should, and only to whom it should.
import { afterAll, expect, test } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { channelsOf } from '../../../src/notifications/channel.js';
import { leavesTheMachine, send } from '../../../src/notifications/send.js';
import { notificationsFile } from '../../../src/tenants/notification-schema.js';
import { webReceiver } from '../../support/receivers.js';

const web = await webReceiver();
afterAll(() => web.close());

test('the name of a company mentions nobody and hides no link in Slack', async () => {
  const notifications = notificationsFile.parse({ slack: [{ url: `${web.url}/slack` }] });
  const reveal = (reference: string) => new Secret(reference);
  const [channel] = channelsOf({ tenant: null, notifications, smtp: null, reveal });
  if (!channel) throw new Error('no channel');
  const title = '<!channel> <https://evil.example|Skoða> R&D';
  const tenants = [{ title, postedToday: 1, waiting: 0, needsYou: 0 }];
  const content = { kind: 'digest', tenants, items: [] } as unknown as Parameters<typeof send>[1]['content'];
  const { delivered } = await send(channel, { id: 'one', at: new Date(), content }, 'test');
  expect(delivered).toBe(true);
  const { text } = JSON.parse(web.received[0]?.body ?? '{}') as { text: string };
  expect(text).toContain('&lt;!channel&gt; &lt;https://evil.example|Skoða&gt; R&amp;D');
  expect(text).not.toContain('<');
});

test.each([
  ['smtp://mail.example.is:587', true],
  ['smtp://u:p@10.0.0.5', true],
  ['smtp://localhost.example.is', true],
  ['smtp://127.0.0.1:2525', false],
  ['smtp://localhost', false],
  ['smtp://[::1]:25', false],
])('a mail to %s is sent only over TLS: %s', (url, expected) => {
  expect(leavesTheMachine(url)).toBe(expected);
});
