import { describe, expect, it } from 'vitest';
import { describeTenant } from '../../../src/tenants/describe-tenant.js';
import { changed, FULL_RULES, load, tenantDirectory } from './tenant-directory.js';

describe('a tenant as people may see it', () => {
  it('shows references with whether they are set, and of a webhook only where it goes', async () => {
    const text = `${changed(['    file:', '    token: file:secrets/token\n    file:'])}notifications:
  webhooks:
    - url: https://hooks.example/services/c4n4ry
      signingSecret: env:SIGNING
    - url: env:HOOK
`;
    const directory = await tenantDirectory({ 'hraun.yaml': text, 'secrets/token': 'c4n4ry' });
    const { tenants } = await load(directory);
    const described = describeTenant(tenants[0]!, { HRAUN_API_KEY: 'c4n4ry', HOOK: 'https://c4n4ry' });
    expect(described).toMatchObject({
      source: { auth: { username: 'hraun', apiKey: '*** (env:HRAUN_API_KEY, set)' } },
      erp: { settings: { token: '*** (file:secrets/token, set)' } },
      notifications: {
        webhooks: [
          { url: 'https://hooks.example/***', signingSecret: '*** (env:SIGNING, not set)' },
          { url: '*** (env:HOOK, set)' },
        ],
      },
      rules: { from: [FULL_RULES, `${directory}/hraun.yaml`] },
    });
    expect(JSON.stringify(described)).not.toContain('c4n4ry');
  });
});
