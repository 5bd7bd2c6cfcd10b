// The embedded ERP: books kept as files, per month, in formats that hledger, ledger, beancount and spreadsheets read.
// Promises: what was answered `posted` is on the disk; one key, one entry, over any number of processes; a crash at any
// moment leaves nothing half-written behind; the files of every format can be written anew from the JSON Lines record.
import type { ErpAdapterDefinition } from '../erp-adapter.js';
import { FileAdapter } from './adapter.js';
import { fileConfiguration, type FileConfiguration } from './settings.js';

export const fileAdapter: ErpAdapterDefinition<FileConfiguration> = {
  name: 'file',
  title: 'Journal files (hledger, ledger, beancount, CSV, JSON Lines)',
  configuration: fileConfiguration,
  // It makes no requests.
  create: (configuration, services) => new FileAdapter(configuration, services),
};
