// Tenants: the list, one of them, its connections, and pause, resume, sweep.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { stringify } from 'yaml';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import type { TenantOverview } from '../../operations/views/overview.js';
import type { RouteContext } from '../route-context.js';
import { plainActForm } from '../views/act-dialog.js';
import { findingsList, trialsList, schedulesContent, tenantContent } from '../views/tenants-page.js';
import { ALL_TENANTS, TENANT_ORDERS, type TenantFilter, tenantsContent } from '../views/tenant-list.js';
import { field, goTo, sendHtml, sendPage } from './answer.js';
import { actOf } from './document.js';

const VIEWER = { config: { access: 'viewer' } } as const;
const OPERATOR = { config: { access: 'operator' } } as const;
const ACTS = ['pause', 'resume', 'sweep'] as const;

interface OneTenant {
  Params: { name: string };
}

function filterOf(query: unknown): TenantFilter {
  const from = field(query, 'from', 6);
  return {
    text: field(query, 'text', 60).trim(),
    order: TENANT_ORDERS.find((one) => one === field(query, 'order', 10)) ?? ALL_TENANTS.order,
    from: /^\d+$/.test(from) ? Number(from) : 0,
  };
}

export function addTenants(app: FastifyInstance, context: RouteContext): void {
  app.get('/tenants', VIEWER, (request, reply) => {
    const { visit } = request;
    const content = tenantsContent(visit, visit.overview?.tenants ?? [], filterOf(request.query));
    return sendPage(request, reply, context, { title: visit.text.tenants.title, here: 'tenants', content });
  });

  app.get<OneTenant>('/tenants/:name', VIEWER, (request, reply) => {
    const { visit } = request;
    const tenant = tenantOf(request);
    const description = request.within.tenants.describe(tenant.name);
    const content = tenantContent(visit, tenant, description && stringify(description));
    return sendPage(request, reply, context, {
      title: tenant.title,
      here: 'tenants',
      content,
      watches: true,
    });
  });

  app.get<OneTenant>('/tenants/:name/check', VIEWER, async (request, reply) => {
    const findings = await request.within.tenants.checkConnection(
      request.params.name,
      request.visit.language,
    );
    const content = findingsList(request.visit, findings);
    if (request.visit.partial) return sendHtml(reply, content);
    const { title } = request.visit.text.tenants;
    return sendPage(request, reply, context, { title, here: 'tenants', content });
  });

  app.post<OneTenant>('/tenants/:name/notify', OPERATOR, async (request, reply) => {
    const trials = await request.within.operations.testNotifications(request.params.name);
    return sendHtml(reply, trialsList(request.visit, trials));
  });

  app.get('/schedules', VIEWER, async (request, reply) => {
    const content = schedulesContent(request.visit, await request.within.operations.schedules());
    const { title } = request.visit.text.schedules;
    return sendPage(request, reply, context, { title, here: 'schedules', content });
  });
  for (const act of ACTS) addAct(app, context, act);
}

function addAct(app: FastifyInstance, context: RouteContext, act: (typeof ACTS)[number]): void {
  app.get<OneTenant>(`/tenants/:name/${act}`, OPERATOR, (request, reply) => {
    const { text } = request.visit;
    const what = {
      pause: text.tenants.pauseWhat,
      resume: text.tenants.resumeWhat,
      sweep: text.tenants.sweepDone,
    };
    const back = `/tenants/${encodeURIComponent(request.params.name)}`;
    const form = plainActForm(request.visit, {
      title: text.tenants[act],
      what: what[act],
      path: `${back}/${act}`,
      back,
    });
    if (request.visit.partial) return sendHtml(reply, form);
    return sendPage(request, reply, context, { title: text.tenants.title, here: 'tenants', content: form });
  });

  app.post<OneTenant>(`/tenants/:name/${act}`, OPERATOR, async (request, reply) => {
    const { operations } = request.within;
    const { name } = request.params;
    if (act === 'pause') await operations.pause(name, actOf(request));
    else if (act === 'resume') await operations.resume(name, actOf(request));
    else await operations.sweep(name, actOf(request));
    context.pulse.touch();
    return goTo(request, reply, `/tenants/${encodeURIComponent(name)}`);
  });
}

function tenantOf({ visit, params }: FastifyRequest<OneTenant>): TenantOverview {
  const tenant = visit.overview?.tenants.find(({ name }) => name === params.name);
  if (!tenant) throw coded('TENANT_UNKNOWN', message('NO_SUCH_TENANT', { name: params.name.slice(0, 40) }));
  return tenant;
}
