// Hvers vegna skjal er ekki í bókunum. Left: the sentence as the tables of reasons write it; a test finds those that have
// no right side.
export const ICELANDIC_REASONS: Readonly<Record<string, string>> = {
  'The document is not handed over for bookkeeping: its accounting status is not Created.':
    'Skjalið hefur ekki verið afhent til bókunar: bókhaldsstaða þess er ekki Created.',
  'The invoice is still a draft.': 'Reikningurinn er enn drög.',
  'The invoice has no number yet.': 'Reikningurinn hefur ekkert númer enn.',
  'The invoice that this credit note refers to is not in the books yet.':
    'Reikningurinn sem þessi kreditreikningur vísar í er ekki enn í bókunum.',
  'The e-invoice behind the cost is not there yet, so it could be an invoice or a credit note.':
    'Rafræni reikningurinn á bak við kostnaðinn er ekki kominn, svo að þetta gæti verið reikningur eða kreditreikningur.',
  'The invoice was cancelled and no credit note refers to it.':
    'Reikningurinn var felldur niður og enginn kreditreikningur vísar í hann.',
  'The document is about zero krónur.': 'Skjalið hljóðar upp á núll krónur.',
  'The rules leave out invoices to this customer.': 'Reglurnar sleppa reikningum á þennan viðskiptavin.',
  'The rules leave out costs from this supplier.': 'Reglurnar sleppa kostnaði frá þessum birgi.',
  'The rules leave out invoices of this number series.': 'Reglurnar sleppa reikningum í þessari númeraröð.',
  'The rules leave out costs with this code.': 'Reglurnar sleppa kostnaði með þessum kóða.',
  'The document is older than the day on which the bridge took over.':
    'Skjalið er eldra en dagurinn sem brúin tók við.',
  'A text on the document has no value in the dimension table.':
    'Texti á skjalinu á sér ekkert gildi í víddatöflunni.',
  'The cost code has no rule.': 'Engin regla er til um kostnaðarkóðann.',
  'The rules do not say which account this way of paying credits.':
    'Reglurnar segja ekki hvaða reikningur er kreditfærður fyrir þennan greiðslumáta.',
  'The rules ask a person to look at every cost with this code.':
    'Reglurnar biðja manneskju að líta á allan kostnað með þessum kóða.',
  'The document falls into a locked period.': 'Skjalið lendir á læstu tímabili.',
  'There is no exchange rate for the document.': 'Ekkert gengi er til fyrir skjalið.',
  'The invoice that this credit note refers to was skipped, so the credit note alone would leave negative revenue.':
    'Reikningnum sem þessi kreditreikningur vísar í var sleppt; kreditreikningurinn einn skildi eftir neikvæðar tekjur.',
  'No VAT was charged on taxed lines, and the customer is not marked as tax exempt.':
    'Enginn virðisaukaskattur er á skattskyldum línum og viðskiptavinurinn er ekki merktur undanþeginn.',
  'The document cannot be read.': 'Ekki er hægt að lesa skjalið.',
  'The rules for this document are not valid.': 'Reglurnar fyrir þetta skjal eru ekki gildar.',
  'The journal that came out breaks a rule that every journal must keep, so it was not let through.':
    'Færslan sem varð til brýtur reglu sem allar færslur verða að halda og var því stöðvuð.',
  'The bridge failed while it mapped the document.': 'Brúin brást þegar hún las skjalið til bókunar.',
  'The invoice has a status that the service does not document.':
    'Reikningurinn er í stöðu sem þjónustan lýsir ekki.',
  'The document has a currency that the service does not document.':
    'Skjalið er í gjaldmiðli sem þjónustan lýsir ekki.',
  'The document is neither an invoice nor a credit note.':
    'Skjalið er hvorki reikningur né kreditreikningur.',
  'A line has a VAT code other than S, AA and Z.': 'Lína er með annan VSK-kóða en S, AA og Z.',
  'The invoice has a negative amount but is no credit note.':
    'Reikningurinn er með neikvæða upphæð en er ekki kreditreikningur.',
  'The cost has a negative amount; the service keeps amounts positive even on credit notes.':
    'Kostnaðurinn er með neikvæða upphæð; þjónustan hefur upphæðir jákvæðar, einnig á kreditreikningum.',
  'The credit note does not say which invoice it credits.':
    'Kreditreikningurinn segir ekki hvaða reikning hann bakfærir.',
  'The lines add up to the amount, but the totals per VAT rate belong to something else.':
    'Línurnar stemma við upphæðina, en samtölur eftir VSK-þrepi eiga við eitthvað annað.',
  'The amount fits neither the lines nor the totals per VAT rate.':
    'Upphæðin stemmir hvorki við línurnar né samtölur eftir VSK-þrepi.',
  'The exchange rate is far from what the currency is worth; it may be upside down.':
    'Gengið er fjarri verðgildi gjaldmiðilsins; því gæti verið snúið við.',
  'The lines miss the amount by more than rounding can explain.':
    'Línunum skeikar um meira en námundun skýrir.',
  'Fewer than two journal lines are left once everything is rounded and netted.':
    'Færri en tvær færslulínur standa eftir þegar allt hefur verið námundað og jafnað.',
  'The e-invoice behind the cost cannot be read as a UBL invoice or credit note.':
    'Ekki er hægt að lesa rafræna reikninginn á bak við kostnaðinn sem UBL-reikning eða kreditreikning.',
  'The cost has no e-invoice, and the rules demand one.':
    'Kostnaðurinn er án rafræns reiknings, en reglurnar krefjast hans.',
  'The cost and the e-invoice behind it disagree.':
    'Kostnaðinum og rafræna reikningnum á bak við hann ber ekki saman.',
  'The VAT cannot belong to this amount.': 'Virðisaukaskatturinn getur ekki átt við þessa upphæð.',
  'The cost carries VAT, but its code is for costs without VAT.':
    'Kostnaðurinn er með virðisaukaskatti, en kóðinn er fyrir kostnað án hans.',
  'The document was deleted at the source before it was posted.':
    'Skjalinu var eytt í upprunanum áður en það var bókað.',
  'The source sent the document in a form that cannot be read.':
    'Upprunakerfið sendi skjalið á formi sem ekki er hægt að lesa.',
  'The source says Posted, but the bridge did not post it.':
    'Upprunakerfið segir Posted, en brúin bókaði það ekki.',
  'The document was not ready for booking for longer than the bridge waits.':
    'Skjalið var ekki tilbúið til bókunar lengur en brúin bíður.',
  'The document was edited at the source after its journal was posted.':
    'Skjalinu var breytt í upprunanum eftir að færslan var bókuð.',
  'The ERP has closed the period of this document.':
    'Bókhaldskerfið hefur lokað tímabilinu sem skjalið er á.',
  'The ERP does not know something the rules use.': 'Bókhaldskerfið þekkir ekki eitthvað sem reglurnar nota.',
  'The ERP refused the journal.': 'Bókhaldskerfið hafnaði færslunni.',
  'The ERP holds an entry under this key with other content.':
    'Bókhaldskerfið geymir færslu undir þessum lykli með öðru innihaldi.',
  'The ERP holds more than one entry under this key.':
    'Bókhaldskerfið geymir fleiri en eina færslu undir þessum lykli.',
  'It is not known whether the ERP took the journal, and this ERP gives no safe way to find out.':
    'Ekki er vitað hvort bókhaldskerfið tók við færslunni, og þetta kerfi gefur enga örugga leið til að komast að því.',
  'It failed as often as the bridge tries.': 'Það mistókst jafnoft og brúin reynir.',
  'The source does not take the accounting status.': 'Upprunakerfið tekur ekki við bókhaldsstöðunni.',
  'The document is in the books, and was reopened for editing at the source afterwards.':
    'Skjalið er í bókunum og var síðan opnað aftur til breytinga í upprunanum.',
  'The document is in the books, but was deleted at the source.':
    'Skjalið er í bókunum, en því var eytt í upprunanum.',
  'An operator decided that this document is not booked.':
    'Rekstraraðili ákvað að þetta skjal yrði ekki bókað.',
  'An operator holds this document.': 'Rekstraraðili heldur skjalinu.',
  'The customer is tax exempt: the taxed lines were booked without VAT.':
    'Viðskiptavinurinn er undanþeginn: skattskyldu línurnar voru bókaðar án virðisaukaskatts.',
  'The lines differ from the totals: the difference was booked as a fee or a discount.':
    'Línurnar víkja frá samtölunum: mismunurinn var bókaður sem gjald eða afsláttur.',
  'The period is locked: the journal is dated on the first open day.':
    'Tímabilið er læst: færslan er dagsett á fyrsta opna degi.',
  'The kennitala is missing or not shaped like one.': 'Kennitöluna vantar eða hún er ekki rétt að lögun.',
  'The kennitala has no valid check digit, which new ones since February 2026 may lack.':
    'Vartala kennitölunnar gengur ekki upp; nýjar kennitölur frá febrúar 2026 geta verið án hennar.',
  'There is no e-invoice: the cost was taken for an invoice, not a credit note.':
    'Enginn rafrænn reikningur er til: kostnaðurinn var talinn reikningur, ekki kreditreikningur.',
  'The claim is paid but its amounts do not add up: the payment was not booked.':
    'Krafan er greidd en upphæðir hennar stemma ekki: greiðslan var ekki bókuð.',
  'The document number is longer than the rules allow: only its end was kept.':
    'Skjalnúmerið er lengra en reglurnar leyfa: aðeins endi þess var geymdur.',
  'The cost code is watched: check that no food or hospitality hides here.':
    'Fylgst er með kostnaðarkóðanum: gættu að því að hér leynist hvorki fæði né risna.',
};
