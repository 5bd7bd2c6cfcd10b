// What is missing in a tenant file, written down from a page: everything of one company at once, looked at before it is
// saved. Promises: only what the inbox names is set; a file that could not be loaded is never written; who and why stand in
// the audit with what was set.
import { findingInWords } from './finding-words.js';
import type { TenantName } from '../domain/ids.js';
import { CodedError } from '../domain/errors/coded-error.js';
import { maskSecrets } from '../domain/secret.js';
import { coded } from '../language/coded.js';
import { say, type Language } from '../language/say.js';
import { message, saidBy, asSaid } from '../language/messages.js';
import type { EditedFile, FileEdit } from '../tenants/edit-tenant-file.js';
import { type Act, checkedAct } from './act.js';
import { causeId } from './causes.js';
import type { OperationsDeps } from './deps.js';
import { lineChanges } from '../domain/journal.js';
import { mendingOf } from './mending.js';
import type { MendPreview } from './views/problem.js';
import type { ProblemWords } from '../tenants/problem-words.js';

/** Cause → what was written for it. */
export type Fills = ReadonlyMap<string, string>;

const VALUE_CHARACTERS_MAX = 200;

export async function previewMend(
  deps: OperationsDeps,
  tenant: TenantName,
  fills: Fills,
): Promise<MendPreview> {
  const { edited, accounts } = await proposeEdit(deps, tenant, fills);
  const { file, before, after, base, problems } = edited;
  const said = problems
    .filter(({ severity }) => severity === 'error')
    .map(({ line, path, ...words }) => ({ line, path, ...problemInWords(deps.language, words) }));
  const erp = said.length === 0 ? await lackingInErp(deps, tenant, accounts) : [];
  return { tenantName: tenant, file, base, changes: lineChanges(before, after), problems: said, erp };
}

/** Accounts that the ERP does not have yet; no answer is no reason to refuse the change. */
async function lackingInErp(
  deps: OperationsDeps,
  tenant: TenantName,
  accounts: readonly string[],
): Promise<MendPreview['erp']> {
  if (accounts.length === 0) return [];
  try {
    const { erp } = await deps.connections.get(tenant);
    const findings = await erp.validate({ accounts, vatCodes: [], dimensions: {} });
    return findings
      .filter(({ severity }) => severity === 'error')
      .map((finding) => findingInWords(deps.language, finding))
      .map(({ message: text, remedy }) => ({ message: maskSecrets(text), remedy: remedy ?? '' }));
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return [
      {
        message: maskSecrets(say(deps.language, message('ERP_NOT_ASKED', { answer: saidBy(error) }))),
        remedy: '',
      },
    ];
  }
}

/** `base` is that of the preview somebody agreed to. */
export async function mend(
  deps: OperationsDeps,
  tenant: TenantName,
  fills: Fills,
  base: string,
  act: Act,
): Promise<void> {
  const who = checkedAct(act);
  const { edited, edits } = await proposeEdit(deps, tenant, fills);
  await deps.files?.save(tenant, { ...edited, base });
  const set = Object.fromEntries(edits.map(({ path, value }) => [path.join('.'), value]));
  const details = { file: edited.file, set };
  await deps.records.record(who, {
    action: 'tenant.file-changed',
    subject: tenant,
    tenantName: tenant,
    details,
  });
  deps.poke();
}

async function proposeEdit(
  deps: OperationsDeps,
  tenant: TenantName,
  fills: Fills,
): Promise<{ edited: EditedFile; edits: readonly FileEdit[]; accounts: readonly string[] }> {
  if (deps.files === null) throw coded('TENANT_FILES_KEPT', message('FILES_ARE_KEPT'));
  const edits: FileEdit[] = [];
  const accounts: string[] = [];
  const seen = new Set<string>();
  for (const { reason } of await deps.records.causes([tenant])) {
    const id = causeId(reason.code, reason.subject);
    const value = fills.get(id)?.trim().slice(0, VALUE_CHARACTERS_MAX) ?? '';
    const fill = mendingOf(reason)?.fill;
    if (value === '' || !fill || seen.has(id)) continue;
    seen.add(id);
    edits.push(fill.edit(value));
    if (fill.what === 'account') accounts.push(value);
  }
  if (edits.length === 0) throw coded('NOTHING_CHOSEN', message('NOTHING_FILLED_IN'));
  return { edited: await deps.files.edit(tenant, edits), edits, accounts };
}

// What is wrong with a tenant file, in the reader's language; values that a file may hold are masked where they look like secrets.

export function problemInWords(
  language: Language,
  { message, remedy, said }: ProblemWords,
): { readonly message: string; readonly remedy: string } {
  const inWords = (text: string, value = asSaid(text)) => maskSecrets(say(language, value));
  return { message: inWords(message, said?.message), remedy: inWords(remedy, said?.remedy) };
}
