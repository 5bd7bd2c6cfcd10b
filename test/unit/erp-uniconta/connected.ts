// The Uniconta adapter, connected with its simulation; both are closed after the test.
import { onTestFinished } from 'vitest';
import { unicontaAdapter } from '../../../src/erp/uniconta/index.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { fakeServices } from '../../support/fakes/fake-services.js';
import { UNICONTA_PASSWORD, unicontaBooks, unicontaSettings } from '../../support/fakes/uniconta-books.js';

export async function connected(over: Record<string, unknown> = {}) {
  const fake = unicontaBooks();
  const server = await new FakeServer(fake).start();
  const settings = unicontaAdapter.configuration.parse(unicontaSettings(server.origin, over));
  const services = fakeServices({ 'env:UNICONTA_PASSWORD': UNICONTA_PASSWORD });
  const adapter = unicontaAdapter.create(settings, services);
  onTestFinished(async () => {
    await adapter.close();
    await server.stop();
  });
  return { fake, adapter };
}
