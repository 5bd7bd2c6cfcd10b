// Það sem einhver þarf að vita. Left: the texts of incidents as those who open them write them, {} where a number, a key or a
// day stands, {name} for a tenant at the beginning. A test opens one of each kind.
export const ICELANDIC_INCIDENTS: Readonly<Record<string, string>> = {
  'invoice {}:': 'Reikningur {}:',
  'cost {}:': 'Kostnaður {}:',
  'Key {}.': 'Lykill {}.',
  'Entry {}, key {}.': 'Færsla {}, lykill {}.',
  'The source says nothing.': 'Upprunakerfið segir ekkert.',
  'The source says {}.': 'Upprunakerfið segir {}.',

  'It is over.': 'Það er liðið hjá.',
  '{name} is not connected; its documents wait': '{} er ekki tengt; skjölin bíða',
  '{name} goes on as it was: its change cannot be taken over':
    '{} heldur áfram eins og áður: ekki er hægt að taka breytinguna upp',
  'it is connected': 'það er tengt',

  '{name} finds documents that another tenant already carries into the same ledger':
    '{} finnur skjöl sem annað félag flytur þegar í sömu bækur',
  '{} documents have a posting key that exists. They are not posted a second time.':
    '{} skjöl hafa lykil sem þegar er til. Þau eru ekki bókuð í annað sinn.',
  'Remove one of the two tenant files: the same source account is connected to the same ledger twice.':
    'Fjarlægðu aðra félagsskrána: sami upprunareikningur er tvítengdur við sömu bækur.',
  'invoice {} is Created again at the source, though it is in the books':
    'Reikningur {} er aftur Created í upprunanum þótt hann sé í bókunum',
  'cost {} is Created again at the source, though it is in the books':
    'Kostnaður {} er aftur Created í upprunanum þótt hann sé í bókunum',
  'Posted is documented as terminal; nothing was posted again.':
    'Posted á að vera endanlegt; ekkert var bókað aftur.',
  'Find out who changed it. If the books must follow, reverse and repost it.':
    'Finndu út hver breytti því. Eigi bækurnar að fylgja, bakfærðu það og bókaðu aftur.',
  'invoice {} is listed as Created, but reading it says that it is gone':
    'Reikningur {} er á listanum sem Created en finnst ekki þegar hann er lesinn',
  'cost {} is listed as Created, but reading it says that it is gone':
    'Kostnaður {} er á listanum sem Created en finnst ekki þegar hann er lesinn',
  'It is read again every hour; it is not in the books.':
    'Það er lesið aftur á klukkustundar fresti; það er ekki í bókunum.',
  'Open it in the invoicing service. If it is there, report this to its operator.':
    'Opnaðu það í reikningakerfinu. Sé það þar, láttu rekstraraðila þess vita.',
  'invoice {} was set to Posted by somebody else': 'Einhver annar setti reikning {} í Posted',
  'cost {} was set to Posted by somebody else': 'Einhver annar setti kostnað {} í Posted',

  '{} invoice records in the list have no guid': '{} reikningar í listanum hafa ekkert guid',
  '{} cost records in the list have no guid': '{} kostnaðarfærslur í listanum hafa ekkert guid',
  'Look at the list with `ledgerbridge api`; such documents cannot be booked until the service names them.':
    'Skoðaðu listann með `ledgerbridge api`; slík skjöl verða ekki bókuð fyrr en kerfið gefur þeim auðkenni.',
  'The list of invoices repeats a page': 'Reikningalistinn endurtekur síðu',
  'The list of costs repeats a page': 'Kostnaðarlistinn endurtekur síðu',
  'The list of invoices does not end': 'Reikningalistinn tekur engan enda',
  'The list of costs does not end': 'Kostnaðarlistinn tekur engan enda',
  'Stopped after {} pages with {} documents.': 'Hætt eftir {} síður með {} skjölum.',
  'The next sweep is a full one. If it stays, the service ignores `page` or `limit`: report it to its operator.':
    'Næsti lestur er heildarlestur. Lagist þetta ekki sinnir kerfið hvorki `page` né `limit`: láttu þjónustuaðila þess vita.',

  '{} differences between source, bridge and ERP from {} to {}':
    '{} frávik milli uppruna, brúar og bókhaldskerfis frá {} til {}',
  'Look at them with `ledgerbridge reconcile {} --from {} --to {}`.':
    'Skoðaðu þau með `ledgerbridge reconcile {} --from {} --to {}`.',
  'The source counts {} invoices as {}, the bridge wrote {}.':
    'Upprunakerfið telur {} reikninga sem {}, brúin skrifaði {}.',
  'The source counts {} costs as {}, the bridge wrote {}.':
    'Upprunakerfið telur {} kostnaðarfærslur sem {}, brúin skrifaði {}.',
  'The ERP holds {} entries under {}.': 'Bókhaldskerfið hefur {} færslur undir {}.',
  'The ERP holds entry {} under {}, which the bridge does not know.':
    'Bókhaldskerfið hefur færslu {} undir {}, sem brúin þekkir ekki.',
  'Entry {} is {} in the ERP, but the bridge holds it for posted.':
    'Færsla {} er {} í bókhaldskerfinu, en brúin telur hana bókaða.',
  'Entry {} does not add up to the {} ISK of its journal.':
    'Færsla {} stemmir ekki við þær {} krónur sem dagbókarfærslan hljóðar upp á.',
  'invoice {} is posted as {}, but the ERP shows no entry under {}.':
    'Reikningur {} er bókaður sem {}, en bókhaldskerfið sýnir enga færslu undir {}.',
  'cost {} is posted as {}, but the ERP shows no entry under {}.':
    'Kostnaður {} er bókaður sem {}, en bókhaldskerfið sýnir enga færslu undir {}.',

  'it is not known whether its reversal was booked': 'ekki er vitað hvort bakfærslan var bókuð',
  'Key of the reversal {}.': 'Lykill bakfærslunnar {}.',
  'Reverse it again after fifteen minutes: the bridge looks for the reversal before it sends another.':
    'Bakfærðu aftur eftir fimmtán mínútur: brúin leitar að bakfærslunni áður en hún sendir aðra.',
  'The document is in the books, and the source says Posted.':
    'Skjalið er í bókunum og upprunakerfið segir Posted.',
  'The entry of the document was reversed.': 'Færsla skjalsins var bakfærð.',
};
