// A drop directory of receipts, as a tenant file names it.
import { FolderOrigin } from '../folder/folder-origin.js';
import { placeOf } from '../folder/index.js';
import type { CreateOrigin } from '../origin-services.js';
import { receiptFiles } from './receipt-files.js';

export const createReceipts: CreateOrigin<'receipts'> = (settings, services) =>
  new FolderOrigin(
    settings.name,
    placeOf(settings, services),
    receiptFiles(settings.details),
    services.clock,
  );
