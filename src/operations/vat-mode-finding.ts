// Rules that want VAT split by an ERP that cannot do it, or not split by one that always does: said before the first document.
import { message } from '../language/messages.js';
import { type Language, say } from '../language/say.js';
import type { ErpCapabilities, Finding, VatMode } from '../erp/erp-adapter.js';

export function vatModeFindings(
  { vatMode }: Pick<ErpCapabilities, 'vatMode'>,
  wanted: VatMode = vatMode,
  language: Language = 'en',
): Finding[] {
  if (wanted === vatMode) return [];
  return [
    {
      severity: 'error',
      message: say(language, message('VAT_MODE_NOT_TAKEN', { mode: wanted })),
      remedy: say(language, message('SET_VAT_MODE', { mode: vatMode })),
    },
  ];
}
