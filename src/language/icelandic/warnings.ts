// Það sem bókari ætti að vita um skjal sem er bókað engu að síður.
import { written } from './amounts.js';
import type { WARNINGS as ENGLISH } from '../english/warnings.js';
import type { TranslatedReasons } from '../table.js';

export const WARNINGS = {
  TAX_EXEMPT_CUSTOMER: {
    says: 'Viðskiptavinurinn er undanþeginn: skattskyldu línurnar voru bókaðar án virðisaukaskatts.',
  },
  LINES_DIFFER_FROM_TOTALS: {
    says: 'Línurnar víkja frá samtölunum: mismunurinn var bókaður sem gjald eða afsláttur.',
  },
  POSTING_DATE_MOVED: {
    says: 'Tímabilið er læst: færslan er dagsett á fyrsta opna degi.',
    detail: ({ date }) => `Hann er ${date}.`,
  },
  ORIGINAL_BEFORE_CUT_OVER: {
    says: 'Reikningurinn sem hann fellir niður er eldri en upphaf bókunar hér: kreditreikningurinn var bókaður eins og hinn væri í bókunum.',
    detail: ({ date }) => `Hann var gefinn út ${date}.`,
  },
  KENNITALA_FORMAT: {
    says: 'Kennitöluna vantar eða hún er ekki rétt að lögun.',
    detail: ({ written }) => (written === '' ? 'Hana vantar.' : `Þar stendur „${written}“.`),
  },
  KENNITALA_CHECKSUM: {
    says: 'Vartala kennitölunnar gengur ekki upp; nýjar kennitölur frá febrúar 2026 geta verið án hennar.',
    detail: ({ kennitala }) => `Þar stendur ${kennitala}.`,
  },
  SIGN_ASSUMED_INVOICE: {
    says: 'Enginn rafrænn reikningur er til: kostnaðurinn var talinn reikningur, ekki kreditreikningur.',
  },
  CLAIM_AMOUNTS_MISMATCH: {
    says: 'Krafan er greidd en upphæðir hennar stemma ekki: greiðslan var ekki bókuð.',
    detail: ({ owed, deposited }) =>
      owed === undefined
        ? 'Upphæðirnar námundast ekki í jafnvægi.'
        : `Hún ætti að skila ${written(owed)} kr., bankinn segir ${written(deposited ?? '')}.`,
  },
  DOCUMENT_NUMBER_CUT: {
    says: 'Skjalnúmerið er lengra en reglurnar leyfa: aðeins endi þess var geymdur.',
    detail: ({ number }) => `Það er ${number}.`,
  },
  COST_CODE_WATCHED: {
    says: 'Fylgst er með kostnaðarkóðanum: gættu að því að hér leynist hvorki fæði né risna.',
    detail: ({ costCode }) => `Kóðinn er ${costCode}.`,
  },
} satisfies TranslatedReasons<typeof ENGLISH>;
