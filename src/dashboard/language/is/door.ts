// Coming in: signing in and the first account.
import type { DOOR as Texts } from '../en/door.js';
import { plural } from './plural.js';

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
    elsewhere: (name) => `Skrá inn með ${name}`,
    or: 'eða með aðgangi brúarinnar',
    elsewhereFailed: (name) =>
      `Ekki tókst að skrá inn með ${name}. Reyndu aftur; í dagbók brúarinnar stendur hvað var að.`,
    notBegun: 'Þessi innskráning hófst í öðrum vafra eða fyrir of löngu. Byrjaðu aftur.',
    noGroup: (login) =>
      `${login} er til þar, en enginn hópur viðkomandi hefur hlutverk hér. Spurðu stjórnanda brúarinnar.`,
    nameTaken: (login) =>
      `Aðgangur í brúnni heitir þegar ${login} og enginn yfirtekur hann. Spurðu stjórnanda brúarinnar.`,
    factorElsewhere: (name) =>
      `Hlutverk þitt hér krefst tveggja þrepa auðkenningar og ${name} segir ekki að um hana hafi verið beðið. Kveiktu á henni þar og skráðu þig aftur inn, eða spurðu þann sem rekur brúna.`,
    disabled: 'Þessi aðgangur er óvirkur. Spurðu stjórnanda brúarinnar.',
    codeTitle: 'Eitt þrep enn',
    codeWhat: 'Opnaðu appið í símanum og sláðu inn kóðann sem það sýnir fyrir ledgerbridge.',
    code: 'Kóði',
    codeHelp: 'Sex tölustafir, eða einn af varakóðunum þínum.',
    codeLost: 'Hvorki sími né varakóðar? Sá sem rekur brúna tekur þetta af: ledgerbridge user totp reset',
    wrongCode: 'Þetta er ekki kóðinn sem gildir núna, eða hann hefur verið notaður. Bíddu eftir þeim næsta.',
    codeLate: 'Þetta tók of langan tíma. Byrjaðu aftur á lykilorðinu.',
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
  secondFactor: {
    title: 'Tveggja þrepa auðkenning',
    mustTurnOn:
      'Hlutverk þitt krefst tveggja þrepa auðkenningar. Kveiktu á henni: fyrr er ekkert annað opið.',
    goOn: 'Áfram á stjórnborðið',
    off: 'Slökkt: lykilorðið eitt hleypir þér inn.',
    on: (codes) => `Kveikt. ${plural(codes, 'varakóði er', 'varakóðar eru')} eftir.`,
    external: 'Þú skráir þig inn annars staðar; þar er spurt um annað þrepið.',
    begin: 'Kveikja',
    scan: 'Skannaðu þetta með auðkenningarappi, eða sláðu lykilinn inn í það. Sláðu svo inn kóðann sem það sýnir.',
    picture: 'QR-kóði fyrir auðkenningarappið',
    key: 'Lykill',
    confirm: 'Kveikja með þessum kóða',
    codes: 'Varakóðar',
    codesWhat:
      'Kveikt er á þessu. Geymdu kóðana á öruggum stað: hver þeirra hleypir þér inn einu sinni þegar síminn er týndur. Þeir eru ekki sýndir aftur.',
    turnOff: 'Slökkva',
    ended: 'Slökkt er á tveggja þrepa auðkenningu.',
    reset: 'Taka tveggja þrepa auðkenningu af',
    mark: 'tvö þrep',
    elsewhere: 'skráir sig inn annars staðar',
  },
};
