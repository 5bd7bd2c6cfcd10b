import { describe, expect, test } from 'vitest';
import { say } from '../../../src/language/say.js';
import { recordFiles } from '../../../src/origins/folder/record-files.js';

const HEAD = 'reference,issue_date,kennitala,item_number,description,qty,unit_price,tax';

function problemsOf(name: string, text: string | Uint8Array) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const { problems } = recordFiles('order').read({ name, bytes, companion: null, changedOn: '2026-11-16' });
  return problems.map(({ place, problem, said }) => ({
    place,
    problem,
    icelandic: said === undefined ? null : say('is', said),
  }));
}

describe('a file that cannot be read is told in the language of the reader', () => {
  test.each([
    [
      'pris.csv',
      `${HEAD},pris`,
      'A-1,2026-03-01,5402696029,V-1,Vara,1,100,S,9',
      expect.stringMatching(/^óþekktur dálkur: pris\. .* mega vera kind, reference/),
    ],
    ['short.csv', HEAD, 'A-1,2026-03-01,5402696029', 'reitir línunnar eru 3 en dálkar skrárinnar 8'],
    [
      'open.csv',
      HEAD,
      'A-1,2026-03-01,5402696029,V-1,"Vara,1,100,S',
      'gæsalöppum er ekki lokað eða þær standa þar sem þær mega ekki vera',
    ],
    ['nobody.csv', HEAD, ',2026-03-01,5402696029,V-1,Vara,1,100,S', 'reference vantar'],
    ['list.jsonl', '[]', '', 'er ekki hlutur innan slaufusviga'],
    ['other.xml', '<a/>', '', 'það er ekki pöntun á sniðinu UBL 2.1'],
  ])('%s', (name, head, row, icelandic) => {
    expect(problemsOf(name, `${head}\n${row}`)).toMatchObject([{ icelandic }]);
  });

  test('the words of a parser are quoted inside ours', () => {
    const [json] = problemsOf('broken.jsonl', '{"kind":');
    expect(json).toMatchObject({
      place: 'broken.jsonl:1',
      problem: expect.stringMatching(/^is not JSON: /),
      icelandic: expect.stringMatching(/^er ekki JSON: „.+“$/),
    });
    const [xml] = problemsOf('broken.xml', '<a>');
    expect(xml?.icelandic).toMatch(/^skráin er ekki XML: „.+“$/);
  });

  test('a file in another encoding says so', () => {
    expect(problemsOf('latin.csv', new Uint8Array([0xfe, 0xff, 0x80]))).toMatchObject([
      { problem: 'the file is not written in UTF-8', icelandic: 'skráin er ekki í UTF-8' },
    ]);
  });
});
