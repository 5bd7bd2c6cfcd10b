// One time zone for an installation, named wherever a moment is shown.
import { afterEach, describe, expect, it } from 'vitest';
import { moment as typed } from '../../../src/cli/table.js';
import { exactMoment, moment } from '../../../src/dashboard/language/format.js';
import type { Condition } from '../../../src/domain/condition.js';
import { DEFAULT_TIME_ZONE, localTime, momentInWords, useTimeZone } from '../../../src/domain/local-time.js';
import { conditionText } from '../../../src/language/conditions/condition-text.js';
import { readBridgeSettings } from '../../../src/tenants/bridge-settings.js';

afterEach(() => useTimeZone(DEFAULT_TIME_ZONE));

const SUMMER = '2026-07-31T23:30:05.000Z';
const CONDITION: Condition = {
  code: 'SWEEP_OVERDUE',
  ...{ tenant: 'hraun', subject: '', severity: 'critical', needsPerson: true },
  ...{ lastAt: SUMMER, params: { since: SUMMER } },
};

describe('a moment', () => {
  it('is shown by the clocks of Iceland, with their name, unless the settings say otherwise', () => {
    expect(typed(SUMMER)).toBe('31.07.2026 23:30 GMT');
    expect(exactMoment(SUMMER)).toBe('31.07.2026 23:30:05 GMT');
    expect(conditionText('is', CONDITION).title).toContain('31.07.2026 23:30 GMT');
  });

  it('is shown by other clocks where the settings name them, summer time and the day included', () => {
    useTimeZone(readBridgeSettings({ LEDGERBRIDGE_TIME_ZONE: 'Europe/Copenhagen' }, '/').timeZone);
    expect(moment(SUMMER)).toBe('01.08.2026 01:30');
    expect(momentInWords(SUMMER)).toMatch(/^01\.08\.2026 01:30 (CEST|GMT\+2)$/);
    expect(localTime('2026-01-15T12:00:00Z')).toMatchObject({ day: '2026-01-15', time: '13:00' });
    expect(conditionText('en', CONDITION).title).toContain('01.08.2026 01:30');
  });

  it('that is none is shown as it is', () => {
    expect([momentInWords('soon'), moment('soon'), exactMoment('soon')]).toEqual(['soon', 'soon', 'soon']);
  });

  it('in a time zone that nobody knows is refused when the bridge begins', () => {
    expect(() => readBridgeSettings({ LEDGERBRIDGE_TIME_ZONE: 'Atlantic/Reykjavk' }, '/')).toThrow(
      /LEDGERBRIDGE_TIME_ZONE: "Atlantic\/Reykjavk" is not a time zone/,
    );
  });
});
