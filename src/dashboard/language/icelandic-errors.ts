// Hvers vegna eitthvað var ekki gert, og hvað þá skal gera; og það sem prófun á tengingu segir. Left: the sentence as the
// program writes it, {} where a name or number stands.
export const ICELANDIC_ERRORS: Readonly<Record<string, string>> = {
  'This tenant wants two people for it, and one has asked.':
    'Þetta félag vill að tveir standi að þessu, og einn hefur beðið um það.',
  'You asked for it yourself: somebody else has to agree.': 'Þú baðst um það: annar þarf að samþykkja.',
  'Only an admin may agree to a plan.': 'Aðeins stjórnandi má samþykkja áætlun.',
  'Somebody else does the same, or agrees: on the page Approvals, or with `ledgerbridge approvals agree`.':
    'Annar gerir hið sama eða samþykkir það undir Samþykktir.',
  'Nobody waits for an agreement under {}.': 'Ekkert bíður samþykkis undir {}.',
  'List what waits with `ledgerbridge approvals`.': 'Það sem bíður stendur undir Samþykktir.',
  'This needs the role {} in {}; you have {} there.': 'Til þess þarf hlutverkið {} í {}; þú hefur {} þar.',
  'This concerns all companies, and you may see only some.':
    'Þetta snertir öll félög, en þú sérð aðeins sum.',
  'Ask an admin of the bridge for the role; `ledgerbridge user list` shows who has which.':
    'Biddu stjórnanda brúarinnar um hlutverkið.',
  'More passwords are being looked at than can be at once.':
    'Fleiri lykilorð eru í skoðun en hægt er að skoða í einu.',
  'Try again in some seconds; if nobody should be signing in, look in the log who knocks.':
    'Reyndu aftur eftir nokkrar sekúndur; ætti enginn að vera að skrá sig inn skaltu líta í kerfisdagbókina.',
  'Search for it with `ledgerbridge documents`.': 'Leitaðu að því undir Skjöl.',
  'Use the id or the guid, or name the tenant too.': 'Notaðu auðkennið eða guid, eða nefndu félagið líka.',
  'Give both: `--by` and `--reason` on the command line, `reason` in the API.':
    'Segðu hvort tveggja: hver þú ert og hvers vegna.',
  'Look at it with `ledgerbridge explain`: it lists what can be done.':
    'Líttu á síðu skjalsins: þar stendur hvað hægt er að gera.',
  'Try again in a few seconds.': 'Reyndu aftur eftir nokkrar sekúndur.',
  'Name documents, a cause, a tenant or states; `ledgerbridge problems` lists the causes.':
    'Veldu skjöl, orsök, félag eða stöður; orsakirnar standa undir Vandamál.',
  'List the runs with `ledgerbridge replay --list`.': 'Keyrslurnar standa undir Endurkeyrslur.',
  'List them with `ledgerbridge incidents`.': 'Þau standa undir Atvik.',
  'Look the entry up in the ERP and give its own number or id.':
    'Flettu færslunni upp í bókhaldskerfinu og gefðu upp númer hennar eða auðkenni.',
  'Find the entry of this document; if there is none, replay it.':
    'Finndu færslu þessa skjals; sé hún engin, keyrðu það aftur.',
  'Compare the two. If it is the same document, booked by hand on other accounts, accept the differences explicitly.':
    'Berðu þau saman. Sé þetta sama skjal, bókað í höndunum á aðra lykla, skaltu samþykkja mismuninn sérstaklega.',
  'Try again when it answers; `ledgerbridge tenant check` says how it is.':
    'Reyndu aftur þegar það svarar; „Prófa tenginguna“ á síðu félagsins segir hvernig það stendur.',
  'Reverse the entry in the ERP itself, then skip the document or mark it with the new entry.':
    'Bakfærðu færsluna í bókhaldskerfinu sjálfu og slepptu svo skjalinu eða merktu það með nýju færslunni.',
  'Read its message; when the period is closed, give a day in an open one with --date.':
    'Lestu skilaboðin; sé tímabilið lokað, gefðu upp dag í opnu tímabili með --date.',
  'Reverse it again after fifteen minutes: the bridge looks for the reversal before it sends another.':
    'Bakfærðu aftur eftir fimmtán mínútur: brúin leitar að bakfærslunni áður en hún sendir aðra.',
  'Move it there by hand, then approve it: the next sweep brings it back.':
    'Færðu hann þangað í höndunum og samþykktu: hann kemur aftur næst þegar sótt er.',
  'The ERP’s books belong to another company than the documents.':
    'Bækur bókhaldskerfisins eru annars félags en skjölin.',
  'Correct the credentials or the company in the tenant file. If it is meant, as for a branch: `--other-company`, `otherCompany` in the API.':
    'Leiðréttu aðganginn eða félagið í félagsskránni. Sé þetta ætlunin, t.d. fyrir útibú: `--other-company`, `otherCompany` í API.',
  'The plan was not confirmed, because the ERP lacks what its documents need.':
    'Áætlunin var ekki staðfest, því bókhaldskerfið vantar það sem skjölin þurfa.',
  'Mend what the plan names, then confirm. To begin all the same: `--despite-errors`; those documents will be held.':
    'Lagaðu það sem áætlunin nefnir og staðfestu svo. Til að byrja samt: `--despite-errors`; þeim skjölum verður haldið.',
  'Mend the connection (`ledgerbridge tenant check` says how it is) and confirm again. To begin without: `--unchecked`, `unchecked` in the API, the box in the dashboard’s dialog.':
    'Lagaðu tenginguna („Prófa tenginguna“ á síðu félagsins segir hvernig hún stendur) og staðfestu aftur. Til að byrja án þess: gerðu áætlunina aftur og merktu í reitinn við staðfestinguna.',
  'See `ledgerbridge token --help`; `ledgerbridge token list` shows those that exist.':
    'Lyklarnir sem til eru standa undir Fólk og lyklar.',
  'Correct the filter that the message names; pages go on with the `next` of the page before.':
    'Leiðréttu síuna sem skilaboðin nefna.',
  'Look the name up with `ledgerbridge tenant list`.': 'Nöfnin standa undir Félög.',
  'Check its file with `ledgerbridge tenant validate`; its documents wait until it loads.':
    'Athugaðu skrá félagsins með `ledgerbridge tenant validate`; skjölin bíða þangað til hún er í lagi.',
  'Nothing: the newer process goes on. If it repeats, look for a blocked event loop or a clock that jumps.':
    'Ekkert: nýrra ferlið heldur áfram.',
  'See who there is with `ledgerbridge user list`.': 'Fólkið stendur undir Fólk og lyklar.',
  'Choose another login, or set a new password for the one that exists.':
    'Veldu annað notandanafn, eða settu nýtt lykilorð fyrir það sem til er.',

  'Use 2 to 60 characters: letters, digits, dot, hyphen, underscore and @.':
    'Notaðu 2 til 60 stafi: bókstafi, tölustafi, punkt, bandstrik, undirstrik og @.',
  'Use at least 12 characters that are not one word; several words in a row do well.':
    'Notaðu minnst 12 stafi sem eru ekki eitt orð; nokkur orð í röð duga vel.',
  'Make somebody else an admin first.': 'Gerðu fyrst einhvern annan að stjórnanda.',
  'Take the code from the log of the running bridge, or use `ledgerbridge user create`.':
    'Taktu kóðann úr annál brúarinnar, eða notaðu `ledgerbridge user create`.',
  'Sign in, or ask an admin for an account.': 'Skráðu þig inn, eða biddu stjórnanda um aðgang.',
  'Nobody has the login {}.': 'Enginn hefur notandanafnið {}.',
  'Somebody has the login {} already.': 'Einhver hefur þegar notandanafnið {}.',
  'A login has 2 to 60 letters, digits or . - _ @, and no spaces.':
    'Notandanafn er 2 til 60 bókstafir, tölustafir eða . - _ @, án bila.',
  'A password needs at least {} characters.': 'Lykilorð þarf minnst {} stafi.',
  'A password has at most {} characters.': 'Lykilorð er í mesta lagi {} stafir.',
  'The password is among the first that somebody would guess.':
    'Lykilorðið er eitt af þeim fyrstu sem einhver myndi giska á.',
  '{name} is the last admin.': '{} er síðasti stjórnandinn.',
  'Somebody has set the dashboard up already.': 'Einhver hefur þegar sett stjórnborðið upp.',
  'That is not a set-up code of this bridge, or it is too old.':
    'Þetta er ekki uppsetningarkóði þessarar brúar, eða hann er of gamall.',

  'No document has the id {}.': 'Ekkert skjal hefur auðkennið {}.',
  'No document has the id, guid, number, key or entry "{}".':
    'Ekkert skjal hefur auðkennið, guid-ið, númerið, lykilinn eða færsluna „{}“.',
  'The plan of {} was not confirmed, because the ERP could not be asked.':
    'Áætlun {} var ekki staðfest því ekki náðist í bókhaldskerfið.',
  'The plan of {} was not confirmed, because the ERP could not be asked:':
    'Áætlun {} var ekki staðfest því ekki náðist í bókhaldskerfið:',
  'A worker has this document on its desk at this moment.': 'Verið er að vinna í þessu skjali núna.',
  'Say which documents: ids, a cause, a tenant or states.':
    'Segðu hvaða skjöl: auðkenni, orsök, félag eða stöður.',
  'No document fits the choice.': 'Ekkert skjal passar við valið.',
  'Say why, in 3 to 500 characters: it is kept in the audit.':
    'Segðu hvers vegna, í 3 til 500 stöfum: það geymist í ferlinum.',
  'The ERP knows no entry "{}".': 'Bókhaldskerfið þekkir enga færslu „{}“.',
  'The ERP could not be asked:': 'Ekki náðist í bókhaldskerfið:',
  'The ERP refused the reversal:': 'Bókhaldskerfið hafnaði bakfærslunni:',
  'The ERP did not take the reversal:': 'Bókhaldskerfið tók ekki við bakfærslunni:',
  'This ERP takes no reversals from outside.': 'Þetta bókhaldskerfi tekur ekki við bakfærslum að utan.',
  'It is not known whether the ERP has its settlement.':
    'Ekki er vitað hvort bókhaldskerfið hefur greiðslufærslu þess.',
  'It is not known whether the ERP has its entry.': 'Ekki er vitað hvort bókhaldskerfið hefur færslu þess.',
  'The ERP shows an entry under key {}.': 'Bókhaldskerfið sýnir færslu með lyklinum {}.',
  'Replay it, then the bridge takes it up.': 'Keyrðu það aftur, þá tekur brúin hana upp.',
  'The ERP shows several entries under key {}: {}.':
    'Bókhaldskerfið sýnir fleiri en eina færslu með lyklinum {}: {}.',
  'It came too late to be sent, so nothing was sent; ask again.':
    'Það var orðið of seint að senda, svo að ekkert var sent; reyndu aftur.',
  'What was sent is not on record.': 'Það sem var sent er ekki á skrá.',
  'There is no tenant "{}".': 'Ekkert félag heitir „{}“.',
  'There is no run {}.': 'Engin keyrsla hefur auðkennið {}.',
  'There is no open incident {}.': 'Ekkert opið atvik hefur auðkennið {}.',
  'There is no token {}, or it was revoked before.':
    'Enginn lykill hefur auðkennið {}, eða hann var afturkallaður áður.',
  'Give the period as two days, the first one first: 2026-01-01 2026-01-31.':
    'Gefðu tímabilið upp sem tvo daga, þann fyrri fyrst.',

  'Nothing is known of its accounts and periods. Mend the connection, then plan again.':
    'Ekkert er vitað um lykla þess og tímabil. Lagaðu tenginguna og gerðu áætlunina aftur.',
  'Closed periods were not checked: this ERP says only when an entry is sent whether its day is open.':
    'Ekki var gáð að lokuðum tímabilum: þetta bókhaldskerfi segir ekki fyrr en færsla er send hvort dagurinn er opinn.',
  'Look in the ERP; documents dated into a closed period will be held as ERP_PERIOD_CLOSED.':
    'Gáðu í bókhaldskerfinu; skjöl í lokuðu tímabili stöðvast sem ERP_PERIOD_CLOSED.',
  'This ERP connection takes no dimensions, and documents have {}.':
    'Þessi tenging við bókhaldskerfið tekur ekki við víddum, en skjöl hafa {}.',
  'Name them under erp.settings in the tenant file, or take them out of rules.dimensions.':
    'Nefndu þær undir erp.settings í skrá félagsins, eða taktu þær úr rules.dimensions.',
  'All {} posting dates are open.': 'Allir bókunardagar eru opnir: {}.',
  '{} days from {} to {} cannot be booked on.': 'Ekki er hægt að bóka {} daga frá {} til {}.',
  'Open the period in the ERP, or set `rules.period` so that documents are dated on the first open day.':
    'Opnaðu tímabilið í bókhaldskerfinu, eða stilltu `rules.period` svo að skjöl bókist á fyrsta opna degi.',
  'The ledger of {} has it all.': 'Bókhald {} hefur allt sem þarf.',
  'The books in {} are ready.': 'Bækurnar í {} eru tilbúnar.',
  'Create it in the ERP, or correct the rules.': 'Stofnaðu það í bókhaldskerfinu eða leiðréttu reglurnar.',
  'Correct the connection, then check again.': 'Lagaðu tenginguna og prófaðu aftur.',
  'Correct the rules or the chart.': 'Leiðréttu reglurnar eða lykilinn.',
  'The ERP has no account {}.': 'Bókhaldskerfið hefur engan lykil {}.',
  'The ERP has no dimension {}.': 'Bókhaldskerfið hefur enga vídd {}.',
  'The ERP has no VAT code {}.': 'Bókhaldskerfið hefur engan VSK-kóða {}.',
  'The ERP has no {} in the dimension {}.': 'Bókhaldskerfið hefur ekkert {} í víddinni {}.',
};
