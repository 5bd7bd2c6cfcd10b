// What to do about a difference that a reconciliation or a closing found, one by one: it is said once for all that have the same code.
import type { Language } from './say.js';

const ENGLISH = {
  ENTRY_MISSING:
    'Find out in the ERP who removed or renumbered it, and undo that there. The bridge books no document again by itself.',
  ENTRY_UNKNOWN:
    'Look for a second bridge on the same books and stop it. If this database was restored, say so with `ledgerbridge db restored`.',
  ENTRY_TWICE: 'Reverse all but one of them in the ERP, and look for a second bridge on the same books.',
  ENTRY_TOTAL_DIFFERS:
    'Compare the entry with the journal on the page of its document. Undo what was changed in the ERP, or reverse it and post it again.',
  COUNT_DIFFERS:
    'Documents were deleted or set back at the invoicing service. `ledgerbridge sweep <tenant> --full` finds which, and opens an incident for each.',
  ENTRY_NOT_POSTED: 'Post it in the ERP, or find out there who set it back.',
  ENTRY_NOT_CLAIMED:
    'Look at the entry in the ERP. If it belongs there, say so with `ledgerbridge mark-posted <document> <entry>`; if not, reverse it in the ERP.',
  BOOKED_NOT_POSTED:
    'Find out who changed or deleted it at the invoicing service. Restore it there, or reverse its entry with `ledgerbridge reverse <document>`.',
  CANCELLED_IN_BOOKS:
    'Issue the credit note at the invoicing service, and it is booked; or, where the money is owed after all, set the invoice back there.',
  CLOSE_SOURCE_DIFFERS: 'The documents that make the difference are named here too: begin with those.',
  CLOSE_NOT_KNOWN:
    'Run `ledgerbridge sweep <tenant> --full`. What is not found then was issued before the cut-over date, or is not handed over.',
  CLOSE_NOT_AT_SOURCE:
    'Find out who deleted it at the invoicing service. Restore it there, or reverse its entry.',
  CLOSE_AMOUNT_CHANGED:
    'Compare the two on the page of the document. If the new amount is right, reverse it and post it again.',
  CLOSE_CONTENT_CHANGED:
    'Look on the page of the document at what changed. If the books should follow, reverse it and post it again.',
  CLOSE_CANCELLED:
    'Issue the credit note at the invoicing service, and it is booked; or, where the money is owed after all, set the invoice back there.',
  CLOSE_NOT_POSTED:
    'Find out who changed or deleted it at the invoicing service. Restore it there, or reverse its entry with `ledgerbridge reverse <document>`.',
  CLOSE_ENTRY_NOT_CLAIMED:
    'Look at the entry in the ERP. If it belongs there, say so with `ledgerbridge mark-posted <document> <entry>`; if not, reverse it in the ERP.',
  CLOSE_CONTENT_UNREAD: 'Close again when the invoicing service answers.',
  CLOSE_ACCOUNT_DIFFERS:
    'Look in the ERP for entries of this account that were changed or removed; `ledgerbridge reconcile` names them.',
  CLOSE_VAT_DIFFERS:
    'Look in the ERP for entries of this code that were changed or removed; `ledgerbridge reconcile` names them.',
  CLOSE_ENTRY_MISSING:
    'Find out in the ERP who removed it, and undo that there. The bridge books no document again by itself.',
  CLOSE_ENTRY_UNKNOWN:
    'Look for a second bridge on the same books and stop it. If this database was restored, say so with `ledgerbridge db restored`.',
  CLOSE_ENTRY_TWICE:
    'Reverse all but one of them in the ERP, and look for a second bridge on the same books.',
  CLOSE_NUMBER_MISSING:
    'Look for the numbers at the invoicing service: drafts that were thrown away leave none, deleted invoices do.',
  CLOSE_WAITING: 'See to it that the document comes to its end; its page says what it waits for.',
  CLOSE_ORIGINAL:
    '`ledgerbridge originals list` names it with its reason; hand the file in, or decide that there is none.',
  CLOSE_AUDIT_BROKEN:
    'Find out who changed the records: `ledgerbridge db verify` names the first entry that does not fit. Do not rely on this period before.',
  CLOSE_SOURCE_UNREADABLE: 'Close again when the invoicing service answers.',
} as const;

export type DifferenceCode = keyof typeof ENGLISH;

const ICELANDIC: Readonly<Record<DifferenceCode, string>> = {
  ENTRY_MISSING:
    'Finndu út í bókhaldskerfinu hver eyddi henni eða gaf henni annað númer og dragðu það til baka þar. Brúin bókar ekkert skjal aftur af sjálfsdáðum.',
  ENTRY_UNKNOWN:
    'Leitaðu að annarri brú á sömu bókum og stöðvaðu hana. Hafi þessi gagnagrunnur verið endurheimtur, segðu frá því með `ledgerbridge db restored`.',
  ENTRY_TWICE: 'Bakfærðu allar nema eina í bókhaldskerfinu og leitaðu að annarri brú á sömu bókum.',
  ENTRY_TOTAL_DIFFERS:
    'Berðu færsluna saman við færsluna á síðu skjalsins. Dragðu til baka það sem var breytt í bókhaldskerfinu, eða bakfærðu hana og bókaðu aftur.',
  COUNT_DIFFERS:
    'Skjölum var eytt eða þau sett til baka í reikningakerfinu. `ledgerbridge sweep <félag> --full` finnur þau og opnar atvik fyrir hvert.',
  ENTRY_NOT_POSTED: 'Bókaðu hana í bókhaldskerfinu, eða finndu út hver setti hana til baka.',
  ENTRY_NOT_CLAIMED:
    'Skoðaðu færsluna í bókhaldskerfinu. Eigi hún heima þar, segðu frá því með `ledgerbridge mark-posted <skjal> <færsla>`; annars bakfærðu hana þar.',
  BOOKED_NOT_POSTED:
    'Finndu út hver breytti því eða eyddi í reikningakerfinu. Endurheimtu það þar, eða bakfærðu færsluna með `ledgerbridge reverse <skjal>`.',
  CANCELLED_IN_BOOKS:
    'Gefðu út kreditreikninginn í reikningakerfinu, þá er hann bókaður; eða settu reikninginn aftur í fyrra horf þar ef skuldin stendur.',
  CLOSE_SOURCE_DIFFERS: 'Skjölin sem valda muninum eru líka nefnd hér: byrjaðu á þeim.',
  CLOSE_NOT_KNOWN:
    'Keyrðu `ledgerbridge sweep <félag> --full`. Það sem finnst ekki þá er frá því fyrir fyrsta dag brúarinnar, eða er ekki afhent.',
  CLOSE_NOT_AT_SOURCE:
    'Finndu út hver eyddi því í reikningakerfinu. Endurheimtu það þar, eða bakfærðu færsluna.',
  CLOSE_AMOUNT_CHANGED:
    'Berðu upphæðirnar saman á síðu skjalsins. Sé sú nýja rétt, bakfærðu það og bókaðu aftur.',
  CLOSE_CONTENT_CHANGED:
    'Skoðaðu á síðu skjalsins hvað breyttist. Eigi bækurnar að fylgja, bakfærðu það og bókaðu aftur.',
  CLOSE_CANCELLED:
    'Gefðu út kreditreikninginn í reikningakerfinu, þá er hann bókaður; eða settu reikninginn aftur í fyrra horf þar ef skuldin stendur.',
  CLOSE_NOT_POSTED:
    'Finndu út hver breytti því eða eyddi í reikningakerfinu. Endurheimtu það þar, eða bakfærðu færsluna með `ledgerbridge reverse <skjal>`.',
  CLOSE_ENTRY_NOT_CLAIMED:
    'Skoðaðu færsluna í bókhaldskerfinu. Eigi hún heima þar, segðu frá því með `ledgerbridge mark-posted <skjal> <færsla>`; annars bakfærðu hana þar.',
  CLOSE_CONTENT_UNREAD: 'Lokaðu aftur þegar reikningakerfið svarar.',
  CLOSE_ACCOUNT_DIFFERS:
    'Leitaðu í bókhaldskerfinu að færslum á þessum lykli sem var breytt eða eytt; `ledgerbridge reconcile` nefnir þær.',
  CLOSE_VAT_DIFFERS:
    'Leitaðu í bókhaldskerfinu að færslum með þessum kóða sem var breytt eða eytt; `ledgerbridge reconcile` nefnir þær.',
  CLOSE_ENTRY_MISSING:
    'Finndu út í bókhaldskerfinu hver eyddi henni og dragðu það til baka þar. Brúin bókar ekkert skjal aftur af sjálfsdáðum.',
  CLOSE_ENTRY_UNKNOWN:
    'Leitaðu að annarri brú á sömu bókum og stöðvaðu hana. Hafi þessi gagnagrunnur verið endurheimtur, segðu frá því með `ledgerbridge db restored`.',
  CLOSE_ENTRY_TWICE: 'Bakfærðu allar nema eina í bókhaldskerfinu og leitaðu að annarri brú á sömu bókum.',
  CLOSE_NUMBER_MISSING:
    'Leitaðu að númerunum í reikningakerfinu: drög sem var hent skilja ekkert eftir sig, reikningar sem var eytt gera það.',
  CLOSE_WAITING: 'Sjáðu til þess að skjalið komist á leiðarenda; á síðu þess stendur eftir hverju það bíður.',
  CLOSE_ORIGINAL:
    '`ledgerbridge originals list` nefnir það og ástæðuna; skilaðu skránni inn, eða ákveddu að hún sé engin.',
  CLOSE_AUDIT_BROKEN:
    'Finndu út hver breytti skránum: `ledgerbridge db verify` nefnir fyrstu færsluna sem passar ekki. Treystu ekki þessu tímabili fyrr.',
  CLOSE_SOURCE_UNREADABLE: 'Lokaðu aftur þegar reikningakerfið svarar.',
};

/** Empty: a difference of another version. */
export function differenceCure(language: Language, code: string): string {
  const texts: Readonly<Record<string, string>> = language === 'is' ? ICELANDIC : ENGLISH;
  return Object.hasOwn(texts, code) ? (texts[code] ?? '') : '';
}
