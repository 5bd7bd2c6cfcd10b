// Rule 6: how a customer is reached decides what must be known of it.
import { readKennitala } from '../../domain/kennitala.js';
import { broken, type Breach } from './breach.js';

interface Reached {
  /** A string in one document, an integer in the other. */
  readonly output_select?: string | number | undefined;
  readonly email?: string | undefined;
  readonly trading_partner_id?: string | undefined;
}

const DEFAULT_OUTPUT = '3';

export function customerRules(body: Reached): readonly Breach[] {
  const output = String(body.output_select ?? DEFAULT_OUTPUT);
  const breaches: Breach[] = [];
  if (output !== '4' && isBlank(body.email)) {
    breaches.push(broken(6, 'EMAIL_NEEDED'));
  }
  if (output === '2' && isBlank(body.trading_partner_id)) {
    breaches.push(broken(6, 'PARTNER_NEEDED'));
  }
  return [...breaches, ...tradingPartnerRule(body.trading_partner_id)];
}

/** An update sends only what changes, so only what is sent can be judged. */
export function customerChangeRules(body: Reached): readonly Breach[] {
  return tradingPartnerRule(body.trading_partner_id);
}

function tradingPartnerRule(partner: string | undefined): readonly Breach[] {
  if (partner === undefined || partner === '') return [];
  if (partner.includes(':')) {
    return [broken(6, 'PARTNER_WITH_PREFIX')];
  }
  if (!readKennitala(partner).format) {
    return [broken(6, 'PARTNER_NO_KENNITALA')];
  }
  return [];
}

function isBlank(written: string | undefined): boolean {
  return written === undefined || written.trim() === '';
}
