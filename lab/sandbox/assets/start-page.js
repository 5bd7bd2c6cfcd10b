// The start page in the browser: shows what the control API knows, once a second, and sends what a person asks for.
const byId = (id) => document.getElementById(id);
const view = { account: null, kind: 'cost', status: '', journal: '', seen: new Map() };

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'onclick') node.addEventListener('click', value);
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

async function control(method, path, body) {
  const response = await fetch(`/_control/${path}`, {
    method,
    headers: {
      'x-sandbox-control': '1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ?? `HTTP ${response.status}`);
  return answer.result;
}

const rowsShown = () => (window.innerWidth < 560 ? 6 : 14);
const accountPath = (rest) => `accounts/${encodeURIComponent(view.account)}/${rest}`;
const money = (amount, currency) =>
  `${new Intl.NumberFormat('is-IS', { maximumFractionDigits: 2 }).format(amount)} ${currency}`;

function say(id, text, good) {
  const place = byId(id);
  place.textContent = text;
  place.className = `answer ${good ? 'good' : 'bad'}`;
}

async function attempt(id, act) {
  try {
    say(id, await act(), true);
    await refresh();
  } catch (error) {
    say(id, error.message, false);
  }
}

function copyButton(text) {
  return element(
    'button',
    {
      class: 'small quiet',
      type: 'button',
      'aria-label': `Copy ${text}`,
      onclick: async (event) => {
        await navigator.clipboard.writeText(text);
        event.target.textContent = 'Copied';
        setTimeout(() => {
          event.target.textContent = 'Copy';
        }, 1200);
      },
    },
    'Copy',
  );
}

function credential(label, value) {
  return [element('dt', {}, label), element('dd', { class: 'mono' }, value), copyButton(value)];
}

let accountsShown = '';
function showAccounts(accounts) {
  const now = JSON.stringify([accounts, view.account]);
  if (now === accountsShown) return;
  accountsShown = now;
  byId('accounts').replaceChildren(
    ...accounts.map((account) =>
      element(
        'article',
        { class: 'account', 'aria-current': String(account.username === view.account) },
        element('h3', {}, account.name),
        element(
          'dl',
          {},
          ...credential('Username', account.username),
          ...credential('api_key', account.apiKey),
          ...credential('Password', account.password),
          ...credential('Kennitala', account.registrationNo),
        ),
        element(
          'div',
          { class: 'buttons' },
          element(
            'button',
            {
              class: account.username === view.account ? 'small primary' : 'small',
              type: 'button',
              'aria-pressed': String(account.username === view.account),
              onclick: () => choose(account.username),
            },
            account.username === view.account ? 'Shown below' : 'Show',
          ),
          element(
            'span',
            { class: 'numbers' },
            `${account.invoices.toLocaleString('en')} invoices · ${account.costs.toLocaleString('en')} costs` +
              (account.processing ? ` · ${account.processing} being read` : ''),
          ),
        ),
      ),
    ),
  );
}

async function choose(username) {
  view.account = username;
  view.seen.clear();
  await refresh();
  const customers = await control('GET', accountPath('customers'));
  byId('customer').replaceChildren(
    ...customers.map(({ guid, name }) => element('option', { value: guid }, name)),
  );
  byId('curl').textContent =
    `curl -u '${username}:${view.apiKey}' '${location.origin}/api/v1/get-costs?accounting_status=Created&limit=2${view.maint}'`;
}

function documentRow(row) {
  const before = view.seen.get(row.guid);
  const changed = before !== undefined && before !== row.accountingStatus + row.updatedTimestamp;
  const fresh = before === undefined && view.seen.size > 0 && view.watching;
  const status = row.accountingStatus ?? 'none';
  const approve =
    row.kind === 'cost' && status === 'New'
      ? element(
          'button',
          {
            class: 'small primary',
            type: 'button',
            onclick: () =>
              attempt('document-answer', async () => {
                await control('POST', accountPath(`costs/${row.guid}/approve`));
                return `${row.counterparty || row.number} approved: bookkeeping can fetch it now.`;
              }),
          },
          'Approve',
        )
      : null;
  return element(
    'tr',
    { class: changed || fresh ? 'changed' : '' },
    element('td', {}, row.number, element('span', { class: 'under' }, row.issueDate)),
    element(
      'td',
      { class: 'wide' },
      row.counterparty || '—',
      element('span', { class: 'under' }, row.description),
    ),
    element(
      'td',
      { class: 'number' },
      money(row.amount, row.currency),
      element('span', { class: 'under' }, row.status),
    ),
    element(
      'td',
      { class: 'last' },
      element('span', { class: `status ${status}` }, row.accountingStatus ?? 'not handed over'),
      row.accountingMessage ? element('span', { class: 'under' }, row.accountingMessage) : null,
    ),
    element('td', { class: 'last' }, approve ?? ''),
  );
}

function showDocuments(rows) {
  byId('documents').replaceChildren(...rows.map(documentRow));
  byId('no-documents').hidden = rows.length > 0;
  view.seen = new Map(rows.map((row) => [row.guid, row.accountingStatus + row.updatedTimestamp]));
  view.watching = true;
}

function showJournal(entries) {
  byId('journal').replaceChildren(
    ...entries
      .slice()
      .reverse()
      .map((entry) =>
        element(
          'tr',
          {},
          element('td', { class: 'mono' }, entry.at.slice(11, 19)),
          element(
            'td',
            { class: 'wide' },
            element('code', {}, entry.endpoint),
            element('span', { class: 'under' }, entry.account ?? 'nobody recognised'),
          ),
          element(
            'td',
            { class: 'httpcode' },
            entry.httpStatus === null ? 'no answer' : String(entry.httpStatus),
          ),
          element(
            'td',
            { class: 'wide' },
            ...entry.broken.map(({ rule, detail }) =>
              element('span', { class: 'under broken', title: rule }, `${rule}: ${detail}`),
            ),
            entry.fault ? element('span', { class: 'under' }, `Fault: ${entry.fault}`) : null,
          ),
        ),
      ),
  );
  byId('no-journal').hidden = entries.length > 0;
}

function showFaults(faults) {
  byId('faults').replaceChildren(
    ...faults.map((fault) =>
      element(
        'tr',
        {},
        element(
          'td',
          {},
          element('code', {}, fault.kind),
          element('span', { class: 'under' }, fault.endpoint ?? 'every endpoint'),
        ),
        element('td', { class: 'number' }, `${fault.hits}×`),
        element(
          'td',
          {},
          element(
            'button',
            {
              class: 'small',
              type: 'button',
              'aria-label': `Disarm ${fault.kind}`,
              onclick: () =>
                attempt('fault-answer', async () => {
                  await control('DELETE', `faults/${fault.id}`);
                  return 'Disarmed.';
                }),
            },
            'Disarm',
          ),
        ),
      ),
    ),
  );
}

async function refresh() {
  const state = await control('GET', 'state');
  view.account ??= state.accounts[0]?.username ?? null;
  const account = state.accounts.find(({ username }) => username === view.account);
  view.apiKey = account?.apiKey ?? '';
  view.maint = state.maintCode === null ? '' : `&en4_maint_code=${state.maintCode}`;
  byId('now').textContent =
    `${state.now.slice(0, 10)} ${state.now.slice(11, 19)} UTC${state.frozen ? ' · stopped' : ''}`;
  byId('freeze').textContent = state.frozen ? 'Start' : 'Stop';
  byId('freeze').dataset.frozen = String(state.frozen);
  byId('requests').textContent = state.requests.toLocaleString('en');
  showAccounts(state.accounts);
  showFaults(state.faults);
  if (view.account === null) return;
  byId('account-name').textContent = account?.name ?? '';
  showDocuments(
    await control(
      'GET',
      accountPath(`documents?kind=${view.kind}&accounting_status=${view.status}&limit=${rowsShown()}`),
    ),
  );
  showJournal(await control('GET', `journal?limit=${rowsShown()}${view.journal}`));
}

function pressed(group, chosen) {
  for (const button of group.querySelectorAll('button'))
    button.setAttribute('aria-pressed', String(button === chosen));
}

for (const button of byId('kinds').querySelectorAll('button')) {
  button.addEventListener('click', async () => {
    view.kind = button.dataset.kind;
    view.seen.clear();
    view.watching = false;
    pressed(byId('kinds'), button);
    await refresh();
  });
}
byId('status').addEventListener('change', async (event) => {
  view.status = event.target.value;
  view.watching = false;
  await refresh();
});
byId('only-broken').addEventListener('change', async (event) => {
  view.journal = event.target.checked ? '&broken=1' : '';
  await refresh();
});
byId('freeze').addEventListener('click', async () => {
  await control('POST', 'clock', { frozen: byId('freeze').dataset.frozen !== 'true' });
  await refresh();
});
for (const button of document.querySelectorAll('[data-advance]')) {
  button.addEventListener('click', async () => {
    await control('POST', 'clock', { advanceSeconds: Number(button.dataset.advance) });
    await refresh();
  });
}

const fieldsOf = (form) => Object.fromEntries(new FormData(form));

byId('invoice-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const fields = fieldsOf(event.target);
  attempt('invoice-answer', async () => {
    await control('POST', accountPath('invoices'), { ...fields, qty: Number(fields.qty) });
    view.kind = 'invoice';
    pressed(byId('kinds'), document.querySelector('[data-kind=invoice]'));
    return 'Issued. Its accounting status is Created: a client can fetch it now.';
  });
});

byId('cost-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const { amount, vat, ...fields } = fieldsOf(event.target);
  const rate = { S: 24, AA: 11, Z: 0 }[vat];
  const vatAmount = Math.round((Number(amount) * rate * 100) / (100 + rate)) / 100;
  attempt('cost-answer', async () => {
    await control('POST', accountPath('costs'), {
      ...fields,
      amount,
      ...(vat === 'S' ? { vat_24: vatAmount } : {}),
      ...(vat === 'AA' ? { vat_11: vatAmount } : {}),
    });
    view.kind = 'cost';
    pressed(byId('kinds'), document.querySelector('[data-kind=cost]'));
    return 'Entered as New. Approve it in the list, and bookkeeping gets it as Created.';
  });
});

byId('fault-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const { kind, endpoint, times } = fieldsOf(event.target);
  attempt('fault-answer', async () => {
    await control('POST', 'faults', {
      kind,
      ...(endpoint ? { endpoint } : {}),
      ...(times ? { times: Number(times) } : {}),
    });
    return `Armed: ${kind}.`;
  });
});

byId('copy-curl').addEventListener('click', () => navigator.clipboard.writeText(byId('curl').textContent));

await refresh();
if (view.account !== null) await choose(view.account);
setInterval(() => {
  if (!document.hidden)
    refresh().catch(() => {
      byId('now').textContent = 'The sandbox has stopped.';
    });
}, 1000);
