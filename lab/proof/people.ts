// The people who work in the invoicing service: they hand documents over late, edit and delete them, are paid, and reopen what
// the bridge has skipped or refused.
import type { Guid } from '../../src/domain/ids.js';
import { consent } from './signed-in.js';
import type { SimulatedDocument } from './simulated-source.js';
import type { Stranger } from './stranger.js';
import { FAULTS_MS, MINUTE_MS, type World } from './world.js';

/** What the bridge will make of a document as it stands. */
type Condition = 'in order' | 'to be skipped' | 'to be refused' | 'contradicts itself';

function someCondition({ kernel }: World): Condition {
  const luck = kernel.next('the condition of a document', 1);
  if (luck < 0.08) return 'to be skipped';
  if (luck < 0.16) return 'to be refused';
  return luck < 0.2 ? 'contradicts itself' : 'in order';
}

/** Documents appear over time, some backdated, some approved long after their date. */
export async function handOver(world: World, count: number, name = 'guid'): Promise<void> {
  const { kernel, service } = world;
  for (let number = 1; number <= count; number++) {
    await kernel.sleep(kernel.between('how soon a document comes', 1_000, (FAULTS_MS * 0.8) / count));
    const kind = kernel.chance('it is a cost', 0.3) ? 'cost' : 'invoice';
    const document: SimulatedDocument = {
      ...blank(kind),
      ...(kind === 'invoice' ? someCredit(world) : {}),
      guid: `${name}-${number}`,
      number: String(1000 + number),
      issueDate: kernel.chance('it is backdated', 0.2) ? '2026-01-15' : '2026-03-01',
    };
    write(world, document, someCondition(world));
    service.documents.set(document.guid, document);
    kernel.note(`handed over ${document.kind} ${document.number}`);
  }
}

/** Some invoices take another back, which is cancelled then or not, and booked by then or not. */
function someCredit({ kernel, service }: World): Pick<SimulatedDocument, 'credits'> {
  const invoices = service
    .existing()
    .filter(({ kind, credits, isMade }) => kind === 'invoice' && credits === undefined && !isMade);
  if (invoices.length === 0 || !kernel.chance('it is a credit note', 0.2)) return {};
  const original = kernel.pick('which invoice it takes back', invoices.slice(-2));
  if (kernel.chance('that is cancelled', 0.3)) original.status = 'Cancelled';
  kernel.note(`${original.number} is taken back, ${original.status}`);
  return { credits: original.guid };
}

/**
 * When all is well, a document that the bridge leaves to a person is deleted, and at the same moment another is approved long
 * after its date: the source counts as many as before.
 */
export async function swapLate(world: World): Promise<void> {
  const { kernel, service } = world;
  for (let number = 1; number <= 2; number++) {
    const resting = backdated(world, `resting-${number}`, String(2000 + number), '9998');
    await kernel.sleep(150 * MINUTE_MS);
    // Unless somebody has booked it by hand meanwhile.
    if (resting.accountingStatus === 'Posted') continue;
    resting.deleted = true;
    const late = backdated(world, `late-${number}`, String(3000 + number), '2093');
    service.swapped.set(late.guid, kernel.nowMs);
    kernel.note(`${resting.number} is deleted, and ${late.number} approved in the same moment`);
  }
}

/** Many invoices at once, all in order. */
export function crowdIn(world: World, count: number, name: string): void {
  for (let number = 1; number <= count; number++) {
    const about = { guid: `${name}-${number}`, number: `${name} ${number}`, issueDate: '2026-03-01' };
    const document = { ...blank('invoice'), ...about };
    write(world, document, 'in order');
    world.service.documents.set(document.guid, document);
  }
  world.kernel.note(`${count} come at once: ${name}`);
}

function backdated(world: World, guid: Guid, number: string, costCode: string): SimulatedDocument {
  const document = { ...blank('cost'), guid, number, issueDate: '2026-01-15', costCode };
  write(world, document, 'in order');
  world.service.documents.set(guid, document);
  return document;
}

function blank(kind: SimulatedDocument['kind']) {
  const facts = { accountingStatus: 'Created', status: '', deleted: false, version: 0, amounts: [] };
  return { ...facts, kind, costCode: '2093', amount: 0, net: 0 };
}

/** The next version of a document, with amounts of its own. */
function write({ kernel, service }: World, document: SimulatedDocument, condition: Condition): void {
  const [rent] = service.documents.values();
  const isRent = rent !== undefined && kernel.chance('it is the same amount again', 0.15);
  const net = isRent ? rent.net : kernel.between('an amount', 1, 900) * 100;
  const amount = { 'in order': 1.24, 'to be skipped': 1.24, 'to be refused': -1.24, 'contradicts itself': 3 };
  const isCancelled = document.kind === 'invoice' && condition === 'to be skipped';
  document.net = net;
  document.amount = document.kind === 'cost' && condition === 'to be skipped' ? 0 : net * amount[condition];
  document.status = isCancelled ? 'Cancelled' : kernel.chance('it is paid', 0.4) ? 'Paid' : 'Sent';
  document.version++;
  document.amounts.push(document.amount);
}

/** They edit and delete what has not been Posted. */
export async function editors(world: World): Promise<void> {
  const { kernel, service } = world;
  for (let acts = 0; acts < 6; acts++) {
    await kernel.sleep(kernel.between('how soon somebody edits', 2, 12) * MINUTE_MS);
    const open = service.created().filter(({ isMade }) => !isMade);
    if (open.length === 0) continue;
    const document = kernel.pick('which is edited', open);
    if (kernel.chance('it is deleted', 0.3)) document.deleted = true;
    else write(world, document, someCondition(world));
    kernel.note(`a person ${document.deleted ? 'deletes' : 'edits'} ${document.number}`);
  }
}

/** Invoices are paid, and now and then a payment is taken back: no edit, so the content stays the same. */
export async function payers({ kernel, service }: World): Promise<void> {
  for (let acts = 0; acts < 12; acts++) {
    await kernel.sleep(kernel.between('how soon a payment comes', 2, 8) * MINUTE_MS);
    const invoices = service
      .existing()
      .filter(({ kind, status }) => kind === 'invoice' && status !== 'Cancelled');
    if (invoices.length === 0) continue;
    const invoice = kernel.pick('which is paid', invoices);
    if (kernel.chance('half of it', 0.3)) invoice.isHalfPaid = invoice.isHalfPaid !== true;
    else invoice.status = invoice.status === 'Paid' ? 'Sent' : 'Paid';
    kernel.note(`${invoice.number} is ${invoice.status}, half paid: ${invoice.isHalfPaid === true}`);
  }
}

/** Records of some documents cannot be read: for a while, or never again. */
export async function garblers({ kernel, service }: World): Promise<void> {
  for (let acts = 0; acts < 8; acts++) {
    await kernel.sleep(kernel.between('how soon a record becomes unreadable', 2, 12) * MINUTE_MS);
    const readable = service.existing().filter(({ isGarbled }) => isGarbled !== true);
    if (readable.length === 0) continue;
    const document = kernel.pick('which becomes unreadable', readable);
    document.isGarbled = true;
    kernel.note(`the record of ${document.number} becomes unreadable`);
    if (kernel.chance('it stays unreadable', 0.5)) continue;
    void kernel.sleep(kernel.between('how long it is unreadable', 1, 120) * MINUTE_MS).then(() => {
      document.isGarbled = false;
      kernel.note(`the record of ${document.number} is in order again`);
    });
  }
}

const STRANGE_DOCUMENTS = 8;

/** Somebody puts the credentials of another company into the tenant file, and puts it right some minutes later. */
export async function mixUpCredentials(world: World, stranger: Stranger): Promise<void> {
  const { kernel, phase } = world;
  void handOver({ ...world, service: stranger.service }, STRANGE_DOCUMENTS, 'stranger');
  while (phase.isFaulty) {
    await kernel.sleep(kernel.between('how soon credentials are mixed up', 5, 25) * MINUTE_MS);
    const forMs = kernel.between('how long they are mixed up', 2, 15) * MINUTE_MS;
    stranger.stays.push({ from: kernel.nowMs, until: kernel.nowMs + forMs });
    kernel.note('the tenant file has the credentials of another company');
    await kernel.sleep(forMs);
    kernel.note('the tenant file has its own credentials again');
  }
}

/** Somebody signs in again when the bridge says that it needs it. */
export async function consenters({ kernel, records, service }: World): Promise<void> {
  const { grant } = service;
  if (!grant) return;
  for (let looks = 0; looks < 500; looks++) {
    await kernel.sleep(kernel.between('how soon somebody looks at the grant', 3, 15) * MINUTE_MS);
    if (records.grant?.state === 'needs-consent') consent(records, grant);
  }
}

/** The tenant file is edited; every process reads it in its own time, and what is under way ends as it began. */
export async function reloaders({ kernel, file }: World): Promise<void> {
  for (let looks = 0; looks < 4; looks++) {
    await kernel.sleep(kernel.between('how soon the file is edited', 4, 25) * MINUTE_MS);
    if (!kernel.chance('the file is edited', 0.5)) continue;
    file.editedAt.push(kernel.nowMs);
    kernel.note(`the tenant file is edited: v${file.editedAt.length + 1}`);
  }
}

/** They set back to Created what stands in Skipped or Error: as it is, or mended. A cost goes by New and is approved again. */
export async function reopeners(world: World): Promise<void> {
  const { kernel, service } = world;
  for (let acts = 0; acts < 14; acts++) {
    await kernel.sleep(kernel.between('how soon somebody reopens', 1, 6) * MINUTE_MS);
    const decided = service
      .existing()
      .filter(({ accountingStatus }) => ['Skipped', 'Error', 'New'].includes(accountingStatus));
    if (decided.length === 0) continue;
    const document = kernel.pick('which is reopened', decided);
    const isMended = kernel.chance('it is mended', 0.6) && !document.isMade;
    if (isMended) write(world, document, someCondition(world));
    if (isMended && leavesInError(document) && kernel.chance('it is left in Error', 0.5)) {
      kernel.note(`a person mends ${document.number} and leaves it in Error`);
      continue;
    }
    const byNew = document.kind === 'cost' && document.accountingStatus !== 'New';
    document.accountingStatus = byNew ? 'New' : 'Created';
    if (!byNew) service.reopenings.set(document.guid, (service.reopenings.get(document.guid) ?? 0) + 1);
    kernel.note(`a person sets ${document.number} to ${document.accountingStatus}, mended: ${isMended}`);
  }
}

/** An invoice may be mended where it stands, for an operator to replay. */
function leavesInError({ kind, accountingStatus }: SimulatedDocument): boolean {
  return kind === 'invoice' && accountingStatus === 'Error';
}
