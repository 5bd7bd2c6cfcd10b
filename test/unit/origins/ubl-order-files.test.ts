// Files inside a UBL order, as a stranger may write them.
import { describe, expect, test } from 'vitest';
import { say } from '../../../src/language/say.js';
import { recordFiles } from '../../../src/origins/folder/record-files.js';
import { embeddedIn, ublOrder } from '../../conformance/origins/folder-beds.js';

const PDF = Buffer.from('%PDF-1.7 Þæö \u0000\u00ff', 'latin1');
const inside = (attachment: string, id = 'A 1') =>
  `<cac:AdditionalDocumentReference><cbc:ID>${id}</cbc:ID>${attachment}</cac:AdditionalDocumentReference>`;
const object = (attributes: string, text: string) =>
  inside(
    `<cac:Attachment><cbc:EmbeddedDocumentBinaryObject ${attributes}>${text}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment>`,
  );
const elsewhere = (uri: string, more = '') =>
  inside(
    `<cac:Attachment><cac:ExternalReference><cbc:URI>${uri}</cbc:URI>${more}</cac:ExternalReference></cac:Attachment>`,
  );

function read(references: string, patterns: readonly string[] = ['*']) {
  const reader = recordFiles('invoice', undefined, patterns);
  const bytes = Buffer.from(ublOrder('PO-1', '3', references));
  const file = { name: 'po.xml', bytes };
  const { records, problems } = reader.read({ ...file, companion: null, changedOn: '2026-03-01' });
  const { files = [] } = JSON.parse(records[0]?.content ?? '{}') as {
    files?: { name: string; at: string; bytes: string }[];
  };
  const code = problems[0]?.said?.code;
  return { files, problems, code, bytesAt: (at: string) => reader.embedded?.(file, at) ?? null };
}

test('go where the tenant file names them, to the byte, however the lines are broken', () => {
  const order = embeddedIn('Skilmálar.pdf', PDF) + inside('') + embeddedIn('innra.pdf', Buffer.from('x'));
  expect(read(order, []).files).toEqual([]);
  const { files, bytesAt, problems } = read(order, ['*.PDF', '!innra*']);
  expect(problems).toEqual([]);
  expect(files).toMatchObject([{ name: 'Skilmálar.pdf', at: '1', bytes: String(PDF.byteLength) }]);
  expect(Buffer.from(bytesAt('1') ?? [])).toEqual(PDF);
  // No file, nothing there, no number.
  expect([bytesAt('2'), bytesAt('9'), bytesAt('../1'), bytesAt('')]).toEqual([null, null, null, null]);
});

test('without a name are called by their number and type', () => {
  expect(read(object('mimeCode="image/png"', 'AAAA')).files).toMatchObject([{ name: 'A 1.png' }]);
});

test('a long address is read in the time its length takes', () => {
  const started = performance.now();
  // 200,000 characters took 24 s with a pattern that tries again at each of them.
  expect(read(elsewhere(`${'a'.repeat(200_000)}/`)).code).toBeDefined();
  expect(performance.now() - started).toBeLessThan(2_000);
});

describe('keep the order back, and are named', () => {
  test.each([
    ['with a path for a name', object('filename="../../etc/x.pdf"', 'AAAA'), 'FILE_NAME_UNFIT', 'x.pdf'],
    ['with a hidden name', object('filename=".ssh"', 'AAAA'), 'FILE_NAME_UNFIT', '.ssh'],
    ['that are not base64', object('filename="a.pdf"', 'AAA*'), 'FILE_NO_BASE64', 'a.pdf'],
    ['that are cut off', object('filename="a.pdf"', 'AAAAA'), 'FILE_NO_BASE64', 'a.pdf'],
    ['with signs between', object('filename="a.pdf"', 'AA=AAAAA'), 'FILE_NO_BASE64', 'a.pdf'],
    ['at an address', elsewhere('http://127.0.0.1:1/b/skjal.pdf?x=1'), 'FILE_ELSEWHERE', 'skjal.pdf'],
    ['at a file of ours', elsewhere('file:///etc/passwd'), 'FILE_ELSEWHERE', 'passwd'],
    [
      'at an address, under a name',
      elsewhere('https://example.is/1', '<cbc:FileName>kort.pdf</cbc:FileName>'),
      'FILE_ELSEWHERE',
      'kort.pdf',
    ],
  ])('%s', (_how, references, code, name) => {
    const found = read(references);
    expect([found.code, found.files]).toEqual([code, []]);
    for (const language of ['en', 'is'] as const)
      expect(say(language, found.problems[0]!.said!)).toContain(name);
  });

  test('unless nobody asked for them', () => {
    expect(
      read(elsewhere('https://example.is/1.html') + object('filename="a.exe"', '!'), ['*.pdf']).code,
    ).toBe(undefined);
  });
});

test('of millions of signs are read or refused in time', () => {
  const many = 'A'.repeat(12 * 1024 * 1024);
  const began = performance.now();
  expect(read(object('filename="a.pdf"', many)).files).toMatchObject([{ bytes: String(9 * 1024 * 1024) }]);
  expect(read(object('filename="a.pdf"', `${many.slice(1)}*`)).code).toBe('FILE_NO_BASE64');
  expect(performance.now() - began).toBeLessThan(5_000);
});
