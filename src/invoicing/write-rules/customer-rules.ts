// Rule 6: how a customer is reached decides what must be known of it.
import { readKennitala } from '../../domain/kennitala.js';
import type { Breach } from './breach.js';

interface Reached {
  readonly output_select?: string | undefined;
  readonly email?: string | undefined;
  readonly trading_partner_id?: string | undefined;
}

const DEFAULT_OUTPUT = '3';

export function customerRules(body: Reached): readonly Breach[] {
  const output = body.output_select ?? DEFAULT_OUTPUT;
  const breaches: Breach[] = [];
  if (output !== '4' && isBlank(body.email)) {
    breaches.push({ rule: 6, message: 'email is required unless output_select is 4.' });
  }
  if (output === '2' && isBlank(body.trading_partner_id)) {
    breaches.push({ rule: 6, message: 'trading_partner_id is required when output_select is 2.' });
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
    return [
      { rule: 6, message: 'trading_partner_id is the bare kennitala, without a scheme prefix like 0196:.' },
    ];
  }
  if (!readKennitala(partner).format) {
    return [{ rule: 6, message: 'trading_partner_id must be the kennitala of the recipient.' }];
  }
  return [];
}

function isBlank(written: string | undefined): boolean {
  return written === undefined || written.trim() === '';
}
