// Who is told, and how: the same in a tenant file, for its own people, and in `notifications.yaml` of the configuration
// directory, for those who look after all tenants.
import * as z from 'zod';
import { isSecretReference, secretReference } from '../domain/secret-reference.js';
import { LANGUAGES } from '../language/say.js';
import { checkHttpsUrl } from './check-url.js';
import { schemaText } from '../language/schema-texts.js';
import { checkTimeZone } from './check-time-zone.js';

/**
 * `incident`: something began; `recovery`: it is over. The next two are incidents of a kind that some want alone. `security`: an account was
 * locked, somebody became an admin, a token was made, a second factor was taken away; only for those who look after all tenants. `audit`: the heads of
 * the audit, for whoever keeps them.
 */
export const NOTIFICATION_EVENTS = [
  'incident',
  'recovery',
  'tenant-paused',
  'reconciliation',
  'security',
  'digest',
  'audit',
] as const;
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

const CHANNELS_MAX = 5;

const choice = {
  on: z
    .array(z.enum(NOTIFICATION_EVENTS))
    .min(1)
    .default(NOTIFICATION_EVENTS.filter((event) => event !== 'audit'))
    .describe('Which events to send; all but `audit` unless given.'),
  severity: z
    .enum(['info', 'warning', 'critical'])
    .default('info')
    .describe('Only incidents at least this grave; all unless given.'),
};

const address = z
  .string()
  .max(500)
  .superRefine((url, context) => {
    if (!isSecretReference(url)) checkHttpsUrl(url, context);
  });

const webhook = z.strictObject({
  url: address.describe(
    'https address to notify, or env:NAME / file:path when the address itself is secret.',
  ),
  signingSecret: secretReference
    .optional()
    .describe('Where the key is kept that signs the message, by Standard Webhooks: `whsec_` and base64.'),
  ...choice,
});

const slack = z.strictObject({
  url: address.describe('Address of an incoming webhook of Slack or one that understands its messages.'),
  ...choice,
});

const email = z.strictObject({
  to: z.array(z.email()).min(1).max(20).describe('Who gets the mail.'),
  ...choice,
});

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, schemaText('NO_TIME'));

const channels = {
  webhooks: z.array(webhook).max(CHANNELS_MAX).default([]).describe('Up to five webhooks.'),
  slack: z.array(slack).max(CHANNELS_MAX).default([]).describe('Up to five rooms of Slack or its like.'),
  email: z.array(email).max(CHANNELS_MAX).default([]).describe('Up to five lists of addresses.'),
  language: z.enum(LANGUAGES).default('en').describe('Of the messages; `en` unless given.'),
  quietHours: z
    .strictObject({ from: timeOfDay, to: timeOfDay })
    .optional()
    .describe('Only what is critical is sent between these times; the rest waits for their end.'),
  digest: timeOfDay.optional().describe('When the daily summary is sent; none unless given.'),
  timeZone: z
    .string()
    .superRefine(checkTimeZone)
    .default('Atlantic/Reykjavik')
    .describe('IANA time zone of these times; Atlantic/Reykjavik unless given.'),
};

export const tenantNotifications = z
  .strictObject(channels)
  .prefault({})
  .describe('Who is told when something needs a person.');
export type Notifications = z.output<typeof tenantNotifications>;

export const notificationsFile = z
  .strictObject({
    ...channels,
    smtp: z
      .strictObject({
        url: secretReference.describe(
          'Where the address of the mail server is kept: smtps://user:password@host:465 or smtp://host:587.',
        ),
        from: z.email().describe('Sender of the mails.'),
      })
      .optional()
      .describe('How mails are sent, those of tenants too.'),
  })
  .describe('Who is told about every tenant.');
export type NotificationsFile = z.output<typeof notificationsFile>;
export const NOBODY: NotificationsFile = notificationsFile.parse({});
