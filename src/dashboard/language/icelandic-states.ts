// Hvernig skjal, félag eða endurkeyrsla stendur. Left: the sentence as the operations write it, {} where a name or number
// stands.
export const ICELANDIC_STATES: Readonly<Record<string, string>> = {
  'It was found and waits for its turn; nothing has to be done.':
    'Það er fundið og bíður síns tíma; ekkert þarf að gera.',
  'Its journal is made and waits to be sent to the ERP; nothing has to be done.':
    'Færslan er tilbúin og bíður þess að fara í bókhaldskerfið; ekkert þarf að gera.',
  'It may have reached the ERP; the bridge is finding out and posts it only if it is surely not there.':
    'Það kann að hafa náð til bókhaldskerfisins; brúin er að komast að því og bókar það aðeins ef það er örugglega ekki þar.',
  'Its journal is on the way to the ERP.': 'Færslan er á leið í bókhaldskerfið.',
  'It is in the books; the source is told next.': 'Það er í bókunum; næst fær upprunakerfið að vita.',
  'It is in the books, and Posted is being written at the source.':
    'Það er í bókunum og verið er að skrifa Posted í upprunanum.',
  'It is in the books as an entry, and the source says Posted.':
    'Það er í bókunum og upprunakerfið segir Posted.',
  'It is in the books as {}, and the source says Posted.':
    'Það er í bókunum sem {} og upprunakerfið segir Posted.',
  'It is not booked: no reason is on record.': 'Það er ekki bókað: engin ástæða er skráð.',
  'It is not booked:': 'Það er ekki bókað:',
  'no reason is on record.': 'engin ástæða er skráð.',
  'Its entry was reversed. Repost it if it belongs in the books after all.':
    'Færslan var bakfærð. Bókaðu það aftur ef það á þó heima í bókunum.',
  'It was moved to New at the source, and comes back by itself when it is approved there.':
    'Það var fært í New í upprunanum og kemur aftur af sjálfsdáðum þegar það er samþykkt þar.',

  'It is read, mapped and posted anew, under the same key.':
    'Það er lesið, vinnst og bókast að nýju undir sama lykli.',
  'The bridge finds out whether the ERP has it, and goes on from there.':
    'Brúin kemst að því hvort bókhaldskerfið hefur það og heldur áfram þaðan.',
  'This ERP cannot be asked whether it has it, so it is parked again. Look there; if it is surely not there, replay with --surely-absent.':
    'Þetta bókhaldskerfi getur ekki sagt hvort það hefur það, svo að því er aftur lagt til hliðar. Gáðu þar; sé það örugglega ekki þar, keyrðu aftur með --surely-absent.',
  'It is in the books; the source is read and told again.':
    'Það er í bókunum; upprunakerfið er lesið og því sagt aftur.',
  'It is tried now instead of later.': 'Það er reynt núna í stað þess að bíða.',
  'It is being worked on at this moment.': 'Verið er að vinna í því núna.',
  'An operator holds it.': 'Rekstraraðili heldur því.',
  'It is on its way already.': 'Það er þegar á leiðinni.',
  'It is in the books, and the source says Posted.': 'Það er í bókunum og upprunakerfið segir Posted.',
  'It is in the books but was deleted at the source.': 'Það er í bókunum en var eytt í upprunanum.',
  'Its entry was reversed; to book it again is a repost.': 'Færslan var bakfærð; að bóka aftur er ný bókun.',
  'It was sent within the last fifteen minutes, so nobody can be sure yet. Try again later.':
    'Það var sent á síðustu fimmtán mínútum, svo að enginn getur verið viss enn. Reyndu aftur síðar.',
  'Its status is being written at the source.': 'Verið er að skrifa stöðu þess í upprunanum.',
  'It was moved to New at the source; it comes back by itself when it is approved there.':
    'Það var fært í New í upprunanum; það kemur aftur af sjálfsdáðum þegar það er samþykkt þar.',
  'It stands as {} at the source: move it to New and have it approved again.':
    'Það stendur sem {} í upprunanum: færðu það í New og láttu samþykkja það aftur.',
  "It stands as {} at the source; an invoice leaves that only by the service's own hand.":
    'Það stendur sem {} í upprunanum; reikningur losnar þaðan aðeins fyrir tilstilli þjónustunnar sjálfrar.',
  'It does not exist.': 'Það er ekki til.',
  'It changed while the run came to it.': 'Það breyttist áður en röðin kom að því.',

  'It waits.': 'Það bíður.',
  'It waits because the invoicing service does not answer since {}.':
    'Það bíður því reikningakerfið hefur ekki svarað síðan {}.',
  'It waits because the ERP does not answer since {}.':
    'Það bíður því bókhaldskerfið hefur ekki svarað síðan {}.',
  'It waits because the invoicing service refuses the credentials since {}.':
    'Það bíður því reikningakerfið hefur hafnað aðganginum síðan {}.',
  'It waits because the ERP refuses the credentials since {}.':
    'Það bíður því bókhaldskerfið hefur hafnað aðganginum síðan {}.',
  'The invoicing service of {} does not answer': 'Reikningakerfi {} svarar ekki',
  'The ERP of {} does not answer': 'Bókhaldskerfi {} svarar ekki',
  'Its documents wait and go on by themselves when it answers; look with `ledgerbridge tenant check {}`.':
    'Skjölin bíða og halda áfram af sjálfsdáðum þegar það svarar; athugaðu með `ledgerbridge tenant check {}`.',
  'The last answer:': 'Síðasta svar:',

  'Paused by {}:': 'Í hléi, {}:',
  'Paused in its tenant file.': 'Í hléi samkvæmt skrá félagsins.',
  'There is no valid tenant file for it any more.': 'Engin gild skrá er lengur til fyrir félagið.',
  'Nothing is posted before its plan was looked at and confirmed.':
    'Ekkert er bókað fyrr en áætlunin hefur verið skoðuð og staðfest.',
  'The invoicing service does not answer:': 'Reikningakerfið svarar ekki:',
  'The ERP does not answer:': 'Bókhaldskerfið svarar ekki:',
  'The invoicing service refuses the credentials:': 'Reikningakerfið hafnar aðganginum:',
  'The ERP refuses the credentials:': 'Bókhaldskerfið hafnar aðganginum:',
  'no reason given': 'engin ástæða gefin',
  '{} document needs a person.': '{} skjal bíður manneskju.',
  '{} document is on its way.': '{} skjal er á leiðinni.',
  '{} document waits, with a reason.': '{} skjal bíður, af sinni ástæðu.',
  '{} documents need a person.': '{} skjöl bíða manneskju.',
  '{} documents are on their way.': '{} skjöl eru á leiðinni.',
  '{} documents wait, each with a reason.': '{} skjöl bíða, hvert af sinni ástæðu.',
  'Every document that was handed over is in the books.': 'Hvert skjal sem var afhent er í bókunum.',
  'Every document that was handed over is in the books, but for {} reversed.':
    'Hvert skjal sem var afhent er í bókunum nema bakfærð: {}.',
  'Every document that was handed over is in the books, but for {} skipped.':
    'Hvert skjal sem var afhent er í bókunum nema sleppt: {}.',
  'Every document that was handed over is in the books, but for {} reversed and {} skipped.':
    'Hvert skjal sem var afhent er í bókunum nema bakfærð: {} og sleppt: {}.',
};
