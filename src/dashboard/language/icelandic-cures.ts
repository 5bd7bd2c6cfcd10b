// Hvað er til ráða. Left: the cure as the tables of reasons write it; a test finds those that have no right side.
export const ICELANDIC_CURES: Readonly<Record<string, string>> = {
  'Nothing: it is looked at again when its status is Created.':
    'Ekkert: það er skoðað aftur þegar staðan er Created.',
  'Issue the invoice, or delete the draft.': 'Gefðu reikninginn út eða eyddu drögunum.',
  'Nothing: it is looked at again when the service has numbered it.':
    'Ekkert: það er skoðað aftur þegar þjónustan hefur gefið því númer.',
  'Nothing, if the original is on its way; otherwise cure the original first.':
    'Ekkert, ef frumreikningurinn er á leiðinni; annars þarf að leysa hans mál fyrst.',
  'Nothing: it is looked at again. For costs that never get one, set cost.whenXmlMissing.':
    'Ekkert: það er skoðað aftur. Stilltu cost.whenXmlMissing fyrir kostnað sem aldrei fær slíkan.',
  'Nothing to book.': 'Ekkert að bóka.',
  'Take the customer out of skip.customers if its invoices belong in the books.':
    'Taktu viðskiptavininn úr skip.customers ef reikningar hans eiga heima í bókunum.',
  'Take the supplier out of skip.suppliers if its costs belong in the books.':
    'Taktu birginn úr skip.suppliers ef kostnaður frá honum á heima í bókunum.',
  'Take the series out of skip.series if its invoices belong in the books.':
    'Taktu röðina úr skip.series ef reikningar hennar eiga heima í bókunum.',
  'Take the code out of skip.costCodes if its costs belong in the books.':
    'Taktu kóðann úr skip.costCodes ef kostnaður með honum á heima í bókunum.',
  'Move skip.before back if older documents are missing in the books.':
    'Færðu skip.before aftar ef eldri skjöl vantar í bækurnar.',
  'Add the text to dimensions.values, or correct it in the invoicing service.':
    'Bættu textanum við dimensions.values eða leiðréttu hann í reikningaþjónustunni.',
  'Add the code to cost.codes, or to cost.codeAliases if it is another name of a known one.':
    'Bættu kóðanum við cost.codes, eða við cost.codeAliases ef hann er annað nafn á þekktum kóða.',
  'Add it to cost.howPaid, or correct it in the invoicing service.':
    'Bættu því við cost.howPaid eða leiðréttu það í reikningaþjónustunni.',
  'Book it by hand and mark it as posted, or take `mode` off the code.':
    'Bókaðu það í höndunum og merktu bókað, eða taktu `mode` af kóðanum.',
  'Open the period, or set period.whenLocked to firstOpenDay to book it on the first open day.':
    'Opnaðu tímabilið, eða settu period.whenLocked á firstOpenDay til að bóka á fyrsta opna degi.',
  'Add a rate of that day, or of a few days before, to fx.table, or let fx.source fetch them.':
    'Bættu gengi þess dags, eða nokkrum dögum fyrr, við fx.table.',
  'Decide on the pair: book both by hand, or skip this one too.':
    'Taktu ákvörðun um parið: bókaðu bæði í höndunum eða slepptu þessu líka.',
  'Mark the customer as tax exempt in the invoicing service, or correct the invoice.':
    'Merktu viðskiptavininn undanþeginn í reikningaþjónustunni eða leiðréttu reikninginn.',
  'Correct the document in the invoicing service, or book it by hand.':
    'Leiðréttu skjalið í reikningaþjónustunni eða bókaðu það í höndunum.',
  'Correct the rules that the message names.': 'Leiðréttu reglurnar sem skilaboðin nefna.',
  'Book the document by hand and report it: this is a fault of the bridge or of unusual rules.':
    'Bókaðu skjalið í höndunum og tilkynntu það: þetta er galli í brúnni eða óvenjulegum reglum.',
  'Book the document by hand and report it: this is a fault of the bridge.':
    'Bókaðu skjalið í höndunum og tilkynntu það: þetta er galli í brúnni.',
  'Cancel it in the invoicing service and issue a credit note.':
    'Felldu hann niður í reikningaþjónustunni og gefðu út kreditreikning.',
  'Issue the credit note again from its invoice, or book it by hand.':
    'Gefðu kreditreikninginn út aftur frá reikningi sínum eða bókaðu hann í höndunum.',
  'Correct the rate on the document, or fx.reference if the currency has moved that far.':
    'Leiðréttu gengið á skjalinu, eða fx.reference ef gjaldmiðillinn hefur hreyfst svo mikið.',
  'Correct the document in the invoicing service, or book it by hand. The limits are rounding.maxIsk and rounding.maxMinorUnits.':
    'Leiðréttu skjalið í reikningaþjónustunni eða bókaðu það í höndunum. Mörkin eru rounding.maxIsk og rounding.maxMinorUnits.',
  'Move the cost to New in the invoicing service and approve it again: that makes the e-invoice anew.':
    'Færðu kostnaðinn í New í reikningaþjónustunni og samþykktu hann aftur: þá verður rafræni reikningurinn til á ný.',
  'Move the cost to New and approve it again, or change cost.whenXmlMissing.':
    'Færðu kostnaðinn í New og samþykktu hann aftur, eða breyttu cost.whenXmlMissing.',
  'Move the cost to New in the invoicing service, correct it and approve it again.':
    'Færðu kostnaðinn í New í reikningaþjónustunni, leiðréttu hann og samþykktu aftur.',
  'Move the cost to New in the invoicing service, correct the VAT and approve it again.':
    'Færðu kostnaðinn í New í reikningaþjónustunni, leiðréttu virðisaukaskattinn og samþykktu aftur.',
  'Move the cost to New in the invoicing service, correct the code or the VAT and approve it again.':
    'Færðu kostnaðinn í New í reikningaþjónustunni, leiðréttu kóðann eða virðisaukaskattinn og samþykktu aftur.',
  'Nothing: there is nothing to book.': 'Ekkert: hér er ekkert að bóka.',
  'Look at the document at the source; replay it when it is in order.':
    'Líttu á skjalið í upprunanum; keyrðu það aftur þegar það er í lagi.',
  'Find out who booked it. If it is in the books, mark it as posted with its ERP reference; if not, it must be reopened at the source.':
    'Komstu að því hver bókaði það. Sé það í bókunum skaltu merkja það bókað með tilvísun; annars þarf að opna það aftur í upprunanum.',
  'Finish or delete the document at the source, then replay it.':
    'Ljúktu við skjalið eða eyddu því í upprunanum, og keyrðu það svo aftur.',
  'Compare the two; reverse and repost if the books must follow the edit.':
    'Berðu þau saman; bakfærðu og bókaðu aftur ef bækurnar eiga að fylgja breytingunni.',
  'Open the period in the ERP, or set period.lockedUntil with whenLocked: firstOpenDay in the rules. It is tried again daily.':
    'Opnaðu tímabilið í bókhaldskerfinu, eða settu period.lockedUntil með whenLocked: firstOpenDay í reglurnar. Reynt er aftur daglega.',
  'Create it in the ERP or change the rules; it is tried again by itself.':
    'Stofnaðu það í bókhaldskerfinu eða breyttu reglunum; svo er reynt aftur af sjálfsdáðum.',
  'Read the message, mend what it names, then replay.':
    'Lestu skilaboðin, lagaðu það sem þau nefna og keyrðu svo aftur.',
  'Compare the two entries in the ERP; mark as posted if it is the same document, reverse it otherwise.':
    'Berðu færslurnar tvær saman í bókhaldskerfinu; merktu bókað ef þetta er sama skjal, annars þarf að bakfæra.',
  'Reverse the surplus entry in the ERP, then replay: the bridge looks before it posts.':
    'Bakfærðu aukafærsluna í bókhaldskerfinu og keyrðu svo aftur: brúin gáir áður en hún bókar.',
  'Look in the ERP for the key. If it is there, mark as posted; if it is surely not, replay with --surely-absent.':
    'Leitaðu að lyklinum í bókhaldskerfinu. Sé hann þar, merktu bókað; sé hann örugglega ekki þar, keyrðu aftur með --surely-absent.',
  'Look at the attempts, mend the cause, then replay.':
    'Skoðaðu tilraunirnar, lagaðu orsökina og keyrðu svo aftur.',
  'Look at the document at the source; its status there and the books disagree.':
    'Líttu á skjalið í upprunanum; stöðu þess þar og bókunum ber ekki saman.',
  'Approve it again unchanged and the status follows by itself; if it was edited, reverse and repost.':
    'Samþykktu það aftur óbreytt og staðan fylgir af sjálfsdáðum; hafi því verið breytt, bakfærðu og bókaðu aftur.',
  'Reverse the entry, or restore the document at the source.':
    'Bakfærðu færsluna eða endurheimtu skjalið í upprunanum.',
  'Nothing; if it belongs in the books after all, replay it (a cost is moved to New at the source first).':
    'Ekkert; eigi það þó heima í bókunum, keyrðu það aftur (kostnaður er fyrst færður í New í upprunanum).',
  'Release it when it may go on.': 'Slepptu því þegar það má halda áfram.',
  'Look at its attempts and its audit, mend what they name, then replay it.':
    'Skoðaðu tilraunir þess og feril, lagaðu það sem þar er nefnt og keyrðu það svo aftur.',
};
