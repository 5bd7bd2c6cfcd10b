// What companies sell. Each trade has a catalogue whose mix of VAT rates is the trade's own: food, books and lodging 11 %,
// most else 24 %, export, health care and passenger transport none.
import type { TaxCode } from '../model.js';

export interface TradeItem {
  readonly description: string;
  readonly uom: string;
  readonly tax: TaxCode;
  /** ISK without VAT. */
  readonly price: number;
  /** Quantities run from 1 to this, small ones often. */
  readonly quantityMax: number;
  readonly category: string;
}

export interface Trade {
  /** Stands in the company's name. */
  readonly business: string;
  readonly items: readonly TradeItem[];
  readonly descriptions: readonly string[];
  readonly costLocations: readonly string[];
  readonly projects: readonly string[];
  /** Share of invoices in a foreign currency. */
  readonly foreignShare: number;
}

function item(
  description: string,
  uom: string,
  tax: TaxCode,
  price: number,
  quantityMax: number,
  category: string,
): TradeItem {
  return { description, uom, tax, price, quantityMax, category };
}

export const TRADES = {
  software: {
    business: 'Hugbúnaðarhúsið',
    items: [
      item('Forritun', 'HUR', 'S', 19_500, 80, 'vinna'),
      item('Ráðgjöf sérfræðings', 'HUR', 'S', 24_000, 24, 'vinna'),
      item('Verkefnastjórn', 'HUR', 'S', 21_000, 20, 'vinna'),
      item('Hýsing á mánuði', 'C62', 'S', 14_900, 12, 'áskrift'),
      item('Notendaleyfi á mánuði', 'C62', 'S', 4_900, 60, 'áskrift'),
      item('Námskeið, hálfur dagur', 'C62', 'Z', 68_000, 3, 'fræðsla'),
      item('Handbók í prentuðu formi', 'C62', 'AA', 6_900, 10, 'bækur'),
      item('Sérsmíði samkvæmt tilboði', 'C62', 'S', 480_000, 2, 'tilboð'),
    ],
    descriptions: ['Vinna samkvæmt tímaskýrslu', 'Þjónusta mánaðarins', 'Áfangi 2', 'Samkvæmt samningi', ''],
    costLocations: ['Þróun', 'Ráðgjöf', 'Rekstur'],
    projects: ['Vefur 2.0', 'Gagnaflutningur', 'Smáforrit'],
    foreignShare: 0.12,
  },
  bakery: {
    business: 'Bakarí',
    items: [
      item('Súrdeigsbrauð', 'C62', 'AA', 900, 60, 'brauð'),
      item('Kleinur, poki', 'C62', 'AA', 700, 40, 'brauð'),
      item('Rjómaterta, 20 manna', 'C62', 'AA', 16_000, 3, 'kökur'),
      item('Kaffi, malað', 'KGS', 'AA', 4_400, 20, 'kaffi'),
      item('Veisluþjónusta', 'HUR', 'S', 9_800, 16, 'þjónusta'),
      item('Leiga á borðbúnaði', 'C62', 'S', 300, 120, 'leiga'),
      item('Heimsending', 'C62', 'S', 2_500, 4, 'akstur'),
    ],
    descriptions: ['Afhent í vikunni', 'Veisla', 'Pöntun samkvæmt símtali', ''],
    costLocations: ['Miðbær', 'Höfnin', 'Veislur'],
    projects: ['Jólavertíð', 'Ný búð'],
    foreignShare: 0.01,
  },
  carpentry: {
    business: 'Trésmiðja',
    items: [
      item('Vinna smiðs', 'HUR', 'S', 14_200, 60, 'vinna'),
      item('Vinna nema', 'HUR', 'S', 8_400, 60, 'vinna'),
      item('Akstur', 'KTM', 'S', 200, 180, 'akstur'),
      item('Krossviður 18 mm', 'MTK', 'S', 5_800, 40, 'efni'),
      item('Eldhúsinnrétting', 'C62', 'S', 890_000, 1, 'smíði'),
      item('Gluggi, sérsmíðaður', 'C62', 'S', 126_000, 8, 'smíði'),
      item('Steypa', 'MTQ', 'S', 39_000, 12, 'efni'),
      item('Förgunargjald', 'TNE', 'Z', 24_000, 3, 'gjöld'),
    ],
    descriptions: ['Vinna á verkstað', 'Efni og vinna', 'Verkþáttur samkvæmt verksamningi', ''],
    costLocations: ['Verkstæði', 'Verkstaður'],
    projects: ['Sumarhús við vatnið', 'Skólinn', 'Höfnin'],
    foreignShare: 0,
  },
  travel: {
    business: 'Ferðaþjónustan',
    items: [
      item('Gisting, tveggja manna herbergi', 'DAY', 'AA', 29_000, 7, 'gisting'),
      item('Morgunverður', 'C62', 'AA', 3_400, 30, 'veitingar'),
      item('Jöklaganga með leiðsögn', 'C62', 'AA', 18_900, 20, 'ferðir'),
      item('Hvalaskoðun', 'C62', 'AA', 13_500, 30, 'ferðir'),
      item('Akstur til og frá flugvelli', 'C62', 'Z', 6_900, 12, 'akstur'),
      item('Leiga á búnaði', 'DAY', 'S', 4_800, 20, 'leiga'),
      item('Minjagripur', 'C62', 'S', 3_900, 15, 'verslun'),
    ],
    descriptions: ['Hópur frá ferðaskrifstofu', 'Dvöl samkvæmt bókun', 'Dagsferð', ''],
    costLocations: ['Gistiheimili', 'Ferðir', 'Verslun'],
    projects: ['Vetrarferðir', 'Nýtt hús'],
    foreignShare: 0.25,
  },
  publishing: {
    business: 'Bókaútgáfan',
    items: [
      item('Skáldsaga, innbundin', 'C62', 'AA', 4_700, 60, 'bækur'),
      item('Ljóðabók', 'C62', 'AA', 3_200, 30, 'bækur'),
      item('Barnabók', 'C62', 'AA', 3_900, 80, 'bækur'),
      item('Umbrot og hönnun', 'HUR', 'S', 15_800, 30, 'vinna'),
      item('Auglýsing í tímariti, heilsíða', 'C62', 'S', 145_000, 2, 'auglýsingar'),
      item('Birtingarréttur erlendis', 'C62', 'Z', 210_000, 1, 'réttindi'),
    ],
    descriptions: ['Pöntun bókabúðar', 'Jólabækur', 'Hönnun og umbrot', ''],
    costLocations: ['Útgáfa', 'Hönnun'],
    projects: ['Haustlisti', 'Vorlisti'],
    foreignShare: 0.08,
  },
  clinic: {
    business: 'Sjúkraþjálfun',
    items: [
      item('Sjúkraþjálfun, 40 mínútur', 'C62', 'Z', 9_900, 10, 'meðferð'),
      item('Skoðun og greining', 'C62', 'Z', 16_500, 2, 'meðferð'),
      item('Æfingateygja', 'C62', 'S', 2_900, 6, 'vörur'),
      item('Stuðningsspelka', 'C62', 'S', 12_800, 3, 'vörur'),
      item('Heilsunámskeið, sex vikur', 'C62', 'S', 38_000, 2, 'námskeið'),
    ],
    descriptions: ['Meðferð samkvæmt tilvísun', 'Vinnustaðaúttekt', ''],
    costLocations: ['Stofa', 'Salur'],
    projects: ['Fyrirtækjaþjónusta'],
    foreignShare: 0,
  },
} as const satisfies Record<string, Trade>;

export type TradeName = keyof typeof TRADES;
