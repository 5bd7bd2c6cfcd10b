import { describe, expect, test } from 'vitest';
import { decodeXml, XML_BYTES_MAX, readUbl } from '../../../src/pipeline/mapping/ubl/read-ubl.js';
import {
  readXml,
  XML_ATTRIBUTES_MAX,
  XML_DEPTH_MAX,
  XML_ELEMENTS_MAX,
  type XmlElement,
} from '../../../src/domain/read-xml.js';
import { base64, ublXml } from './build.js';

const problem = (xml: string): string => {
  const read = readXml(xml);
  return read.outcome === 'unreadable' ? read.problem : '';
};
const sample = ublXml({ payable: '12400.00', taxes: [{ percent: 24, tax: 2400 }], kennitala: '5501192180' });

describe('reading XML', () => {
  test('elements, attributes, text, entities, character data and namespaces', () => {
    const read = readXml(
      `<?xml version='1.0'?><!-- c --><a:r xmlns:a="urn:a" xmlns='urn:d' x="1 &lt; 2"><b>Á&amp;&#237;&#x41;<![CDATA[<&>]]></b><a:c q='"'/></a:r>\n`,
    );
    expect(read).toEqual({
      outcome: 'read',
      root: {
        name: 'r',
        namespace: 'urn:a',
        attributes: new Map([['x', '1 < 2']]),
        text: '',
        children: [
          { name: 'b', namespace: 'urn:d', attributes: new Map(), text: 'Á&íA<&>', children: [] },
          { name: 'c', namespace: 'urn:a', attributes: new Map([['q', '"']]), text: '', children: [] },
        ],
      },
    });
  });

  test('a namespace holds inside its element, until an inner one takes its prefix', () => {
    const read = readXml('<p:a xmlns:p="urn:1"><p:b xmlns:p="urn:2"><p:c/></p:b><p:d/></p:a>');
    const shape = ({ name, namespace, children }: XmlElement): unknown[] => [
      `${namespace} ${name}`,
      ...children.map(shape),
    ];
    expect(read.outcome === 'read' && shape(read.root)).toEqual([
      'urn:1 a',
      ['urn:2 b', ['urn:2 c']],
      ['urn:1 d'],
    ]);
    expect(problem('<a><p:b xmlns:p="urn:1"/><p:c/></a>')).toContain('not declared');
  });

  test.each([
    ['nothing', '', 'no element'],
    ['text', 'hello', 'outside'],
    ['a document type', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'document types'],
    ['an entity bomb', '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>', 'document types'],
    ['a document type inside', '<a><!DOCTYPE b></a>', 'document types'],
    ['an unknown entity', '<a>&nbsp;</a>', 'stands for nothing'],
    ['a bare ampersand', '<a>R & D</a>', 'stands for nothing'],
    ['an ampersand in an attribute', '<a b="R&D"/>', 'stands for nothing'],
    ['a forbidden character number', '<a>&#0;</a>', 'stands for nothing'],
    ['half a character', '<a>&#xD800;</a>', 'stands for nothing'],
    ['a control character', '<a>\u0007</a>', 'forbids'],
    ['an unclosed element', '<a><b></b>', 'not closed'],
    ['crossed elements', '<a><b></a></b>', 'closed by something else'],
    ['a closing too many', '<a/></a>', 'closed by something else'],
    ['two documents', '<a/><b/>', 'two documents'],
    ['text after the end', '<a/>x', 'outside'],
    ['character data outside', '<a/><![CDATA[x]]>', 'outside'],
    ['an attribute twice', '<a b="1" b="2"/>', 'twice'],
    ['an attribute without quotes', '<a b=1/>', 'not written'],
    ['an attribute without value', '<a b/>', 'not written'],
    ['attributes without space', '<a b="1"c="2"/>', 'not written'],
    ['an undeclared prefix', '<x:a/>', 'not declared'],
    ['an open comment', '<a><!-- b</a>', 'missing'],
    ['an open declaration', '<?xml version="1.0"', 'missing'],
    ['a lone bracket', '<a>1 < 2</a>', 'does not begin'],
    ['a tag cut off', '<a><b', 'not written'],
  ])('%s is refused', (_what, xml, expected) => expect(problem(xml)).toContain(expected));

  test('of the characters, only those are refused that XML forbids', () => {
    const from = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, at) => first + at);
    const forbidden = [...from(0, 8), 0x0b, 0x0c, ...from(0x0e, 0x1f), 0xfffe, 0xffff];
    for (const code of forbidden) expect(problem(`<a>${String.fromCharCode(code)}</a>`)).toContain('forbids');
    const others = from(0, 0xffff).filter((code) => !forbidden.includes(code));
    expect(problem(`<a><![CDATA[${others.map((code) => String.fromCharCode(code)).join('')}]]></a>`)).toBe(
      '',
    );
  });

  test('a declaration is no attribute, an attribute that is called nearly like one is', () => {
    const read = readXml('<a xmlns="u" xmlns:="v" xmlns:p="w" xmlnsp="1" p:b="2"/>');
    expect(read).toMatchObject({ root: { namespace: 'v' } });
    expect(read.outcome === 'read' && [...read.root.attributes]).toEqual([
      ['xmlnsp', '1'],
      ['p:b', '2'],
    ]);
  });

  test('depth, elements and attributes are bounded, each at its own number', () => {
    const deep = (levels: number) => '<a>'.repeat(levels) + '</a>'.repeat(levels);
    expect(problem(deep(XML_DEPTH_MAX))).toBe('');
    expect(problem(deep(XML_DEPTH_MAX + 1))).toContain('too deeply');
    const wide = (elements: number) => `<a>${'<b/>'.repeat(elements - 1)}</a>`;
    expect(problem(wide(XML_ELEMENTS_MAX))).toBe('');
    expect(problem(wide(XML_ELEMENTS_MAX + 1))).toContain('too many elements');
    const rich = (count: number) =>
      `<a ${Array.from({ length: count }, (_, at) => `b${String(at)}=""`).join(' ')}/>`;
    expect(problem(rich(XML_ATTRIBUTES_MAX))).toBe('');
    expect(problem(rich(XML_ATTRIBUTES_MAX + 1))).toContain('too many attributes');
  });

  /** As many namespaces as fit around leaves that each declare one more. */
  const namespaces = () => {
    const open = Array.from({ length: XML_DEPTH_MAX - 1 }, (_, level) => {
      const declared = Array.from(
        { length: XML_ATTRIBUTES_MAX },
        (__, at) => `xmlns:n${String(level)}x${String(at)}="u"`,
      );
      return `<a ${declared.join(' ')}>`;
    });
    return `${open.join('')}${'<b xmlns="u"/>'.repeat(60_000)}${'</a>'.repeat(open.length)}`;
  };

  test.each([
    ['namespaces', namespaces()],
    ['brackets', '<'.repeat(1_000_000)],
    ['spaces in a tag', `<a${' '.repeat(1_000_000)}`],
    ['ampersands', `<a>${'&amp;'.repeat(200_000)}</a>`],
    ['unfinished entities', `<a>${'&'.repeat(1_000_000)}</a>`],
    ['comments', `<a>${'<!---->'.repeat(150_000)}</a>`],
    ['quotes', '<a b="'.repeat(170_000)],
    ['depth', '<a>'.repeat(330_000)],
  ])('a megabyte of %s takes no more time than reading it', (_what, xml) => {
    const before = process.cpuUsage();
    readXml(xml);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(1500);
  });

  test.each([
    ['spaces', ' '.repeat(1_000_000)],
    ['line breaks in its letters', 'QUJD\n'.repeat(200_000)],
    ['padding', '='.repeat(1_000_000)],
    ['letters', 'A'.repeat(1_000_000)],
  ])('a megabyte of %s that is no base64 after all takes no more time than reading it', (_what, text) => {
    const before = process.cpuUsage();
    expect(decodeXml(`${text}!`)).toEqual({ outcome: 'unreadable', problem: 'it is not base64' });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(1500);
  });
});

describe('encodings of an e-invoice', () => {
  const encoded = (bytes: Buffer) => readUbl(bytes.toString('base64'));
  const named = sample.replace('Birgir', 'Þórður');
  const nameOf = (bytes: Buffer) => {
    const read = encoded(bytes);
    return read.outcome === 'read' ? read.ubl.supplierName : read.problem;
  };
  const declaring = (encoding: string) => named.replace('UTF-8', encoding);
  const utf16be = Buffer.from(`\ufeff${named}`, 'utf16le').swap16();

  test.each([
    ['UTF-8', Buffer.from(named)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${named}`)],
    ['UTF-16, little end first', Buffer.from(`\ufeff${declaring('UTF-16')}`, 'utf16le')],
    ['UTF-16, big end first', utf16be],
    ['ISO-8859-1', Buffer.from(declaring('ISO-8859-1'), 'latin1')],
    ['Windows-1252', Buffer.from(declaring('windows-1252'), 'latin1')],
  ])('%s is read', (_what, bytes) => expect(nameOf(bytes)).toBe('Þórður ehf.'));

  test('base64 may be broken into lines', () => {
    const broken = Buffer.from(named).toString('base64').replaceAll(/.{76}/g, '$&\r\n');
    expect(readUbl(` ${broken}\n`).outcome).toBe('read');
  });

  test.each([
    ['Latin-1 that says UTF-8', Buffer.from(named, 'latin1'), 'not utf-8'],
    ['an encoding that nobody uses', Buffer.from(declaring('EBCDIC-IS')), 'encoding'],
    ['UTF-7, which can smuggle', Buffer.from(declaring('UTF-7')), 'encoding'],
    ['UTF-16 without a mark', Buffer.from(declaring('UTF-16'), 'utf16le'), 'not utf-8'],
    ['random bytes', Buffer.from([0x80, 0xff, 0x00, 0x13]), 'not utf-8'],
  ])('%s is refused', (_what, bytes, expected) => expect(nameOf(bytes)).toContain(expected));

  test('a file beyond the limit is refused before it is decoded', () => {
    const read = readUbl('A'.repeat(Math.ceil((XML_BYTES_MAX * 4) / 3) * 2));
    expect(read).toEqual({ outcome: 'unreadable', problem: 'it is too large' });
  });
});

describe('reading UBL', () => {
  const read = (xml: string) => {
    const found = readUbl(base64(xml));
    if (found.outcome === 'unreadable') throw new Error(found.problem);
    return { ...found.ubl, lines: found.ubl.lines() };
  };

  test('prefixes are free, namespaces are not', () => {
    const other = sample
      .replaceAll('cbc:', 'b:')
      .replaceAll('xmlns:cbc', 'xmlns:b')
      .replace('<Invoice xmlns=', '<u:Invoice xmlns:u=')
      .replace('</Invoice>', '</u:Invoice>');
    const facts = read;
    expect(facts(other)).toEqual(facts(sample));
    const foreign = sample.replace('schema:xsd:Invoice-2', 'schema:xsd:Invoice-3');
    expect(readUbl(base64(foreign)).outcome).toBe('unreadable');
    const noBasics = sample.replace('CommonBasicComponents-2', 'CommonBasicComponents-9');
    expect(readUbl(base64(noBasics)).outcome).toBe('unreadable');
  });

  test('the facts of an invoice', () => {
    expect(read(sample)).toMatchObject({
      isCreditNote: false,
      id: 'F-1001',
      issueDate: '2025-03-10',
      dueDate: '2025-03-25',
      currency: 'ISK',
      supplierKennitala: '5501192180',
      supplierName: 'Birgir ehf.',
      supplierCountry: 'IS',
      taxTotalIsk: null,
    });
  });

  test('a credit note is due on its payment means', () => {
    const extra =
      '<cac:PaymentMeans><cbc:PaymentDueDate>2025-05-01+00:00</cbc:PaymentDueDate></cac:PaymentMeans>';
    expect(read(ublXml({ root: 'CreditNote', payable: 1, extra }))).toMatchObject({
      isCreditNote: true,
      dueDate: '2025-05-01',
    });
  });

  const naming = (...ids: string[]) =>
    ids
      .map((id) => `<cac:InvoiceDocumentReference><cbc:ID>${id}</cbc:ID></cac:InvoiceDocumentReference>`)
      .map((reference) => `<cac:BillingReference>${reference}</cac:BillingReference>`)
      .join('');

  test.each([
    ['the bill that it names', naming(' F-77 '), 'F-77'],
    ['the bill that it names twice', naming('F-77', 'F-77'), 'F-77'],
    ['no bill among several', naming('F-77', 'F-78'), ''],
    ['no bill where it names none', '', ''],
    [
      'no bill where it names another credit note',
      naming('F-77').replaceAll('InvoiceDocumentReference', 'CreditNoteDocumentReference'),
      '',
    ],
    [
      'no bill of another namespace',
      naming('F-77').replaceAll('<cac:Billing', '<Billing').replaceAll('</cac:Billing', '</Billing'),
      '',
    ],
  ])('a credit note is for %s', (_what, extra, credits) =>
    expect(read(ublXml({ root: 'CreditNote', payable: 1, extra }))).toMatchObject({ credits }),
  );

  test.each([
    ['no amount to pay', sample.replace(/<cbc:PayableAmount.*<\/cbc:PayableAmount>/, '')],
    ['two amounts to pay', sample.replace(/<cbc:PayableAmount.*<\/cbc:PayableAmount>/, '$&$&')],
    ['two totals', sample.replace(/<cac:LegalMonetaryTotal>[^]*<\/cac:LegalMonetaryTotal>/, '$&$&')],
    ['no currency', sample.replace(/<cbc:DocumentCurrencyCode>.*<\/cbc:DocumentCurrencyCode>/, '')],
    ['an amount that is no number', sample.replace('12400.00', '12.400,00')],
    ['an amount in exponent form', sample.replace('12400.00', '1e99')],
  ])('with %s is unreadable', (_what, xml) => expect(readUbl(base64(xml)).outcome).toBe('unreadable'));
});
