// The words and the picture of a log entry, as both surfaces send them.
import type { LogText } from '../service/tasks.js';
import type { Account } from '../service/account.js';
import { anyAttachment } from './attachment.js';
import type { Exchange } from './exchange.js';

export function logText(account: Account, exchange: Exchange): LogText {
  const file = exchange.file('file');
  const { username } = account.profile;
  return {
    description: exchange.fields.text('description'),
    image: file === null ? '' : `/files/${username}/${account.storeFile(anyAttachment(file))}`,
  };
}
