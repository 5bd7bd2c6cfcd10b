// Coming in: signing in and the first account.
import type { DOOR as Texts } from '../en/door.js';

export const DOOR: typeof Texts = {
  signIn: {
    title: 'Innskráning',
    login: 'Notandanafn',
    password: 'Lykilorð',
    submit: 'Skrá inn',
    refused: 'Notandanafn eða lykilorð er rangt.',
    locked: (until) => `Of mörg röng lykilorð: aðgangurinn er læstur til ${until}.`,
    tooMany: 'Of margar tilraunir frá þessu vistfangi. Bíddu í nokkrar mínútur.',
    over: 'Setunni er lokið. Skráðu þig aftur inn og þú ert aftur þar sem þú varst.',
    forgotten: 'Gleymt? Sá sem rekur brúna setur nýtt: ledgerbridge user passwd',
  },
  setUp: {
    title: 'Uppsetning stjórnborðs',
    intro:
      'Enginn getur skráð sig inn enn. Búðu til fyrsta aðganginn: hann er stjórnandi og getur bætt öðrum við. Brúin prentaði uppsetningarkóða þegar hún fór í gang; hann sannar að þú megir sjá annálinn hennar.',
    code: 'Uppsetningarkóði',
    passwordAgain: 'Sama lykilorð aftur',
    passwordHelp: 'Minnst 12 stafir; nokkur orð í röð duga vel.',
    mismatch: 'Lykilorðin eru ekki eins.',
    submit: 'Búa til aðgang',
  },
};
