import { describe, expect, it } from 'vitest';
import { fileTypeOf, nameInErp } from '../../../src/sync/originals.js';

const SHA = 'ab'.repeat(32);
const of = (text: string) => fileTypeOf(Buffer.from(text, 'latin1'))?.contentType ?? null;

describe('what a file is', () => {
  it('is told by its bytes, whatever it is called', () => {
    expect(of('%PDF-1.7\n')).toBe('application/pdf');
    expect(of('\n\n%PDF-1.4')).toBe('application/pdf');
    expect(of('\xff\xd8\xff\xe0')).toBe('image/jpeg');
    expect(of('\x89PNG\r\n\x1a\n')).toBe('image/png');
    expect(of('GIF89a')).toBe('image/gif');
    expect(of('<?xml version="1.0"?><Invoice/>')).toBe('application/xml');
    expect(fileTypeOf(Buffer.from('\uFEFF<?xml version="1.0"?>'))?.extension).toBe('xml');
  });

  it('is nothing that a browser would run, and nothing that is empty', () => {
    for (const text of [
      '',
      '<html><script>',
      '<!doctype html>',
      '<svg onload=x>',
      'MZ\x90',
      'PK\x03\x04',
      'text',
    ])
      expect(of(text)).toBeNull();
  });
});

describe('the name in the ERP', () => {
  const name = (documentNo: string) =>
    nameInErp({ kind: 'cost', documentNo, role: 'file', sha256: SHA, contentType: 'application/pdf' });

  it('is ours: no path, no control character, whatever the document is called', () => {
    for (const evil of [
      '../../x',
      '..\\..\\x',
      '/etc/passwd',
      'a\0b',
      'CON',
      '...',
      'x'.repeat(500),
      '\u202Efdp',
    ])
      expect(name(evil)).toMatch(/^cost-[\p{L}\p{N}-]{1,60}-file-[0-9a-f]{12}\.pdf$/u);
    expect(name('')).toBe('cost-unnumbered-file-abababababab.pdf');
  });

  it('is the same for the same file, and shows the number', () => {
    expect(name('K-2026/0017 æ')).toBe('cost-K-2026-0017-æ-file-abababababab.pdf');
    expect(name('17')).toBe(name('17'));
  });
});
