import { describe, expect, it } from 'vitest';
import { html, json } from '../../../src/dashboard/html.js';

describe('pages by template', () => {
  it('shows hostile text as text, in content and in attributes', () => {
    const evil = `"><script>alert(1)</script><img src=x onerror='x'>\``;
    const page = html`<p title="${evil}">${evil}</p>`.text;
    expect(page).not.toContain('<script');
    expect(page).not.toContain('<img');
    expect(page.match(/"/g)).toHaveLength(2);
    expect(page).not.toMatch(/[`']/);
  });

  it('puts HTML of its own in as it is, and nothing for null and false', () => {
    expect(html`<b>${html`<i>x</i>`}${null}${false}${undefined}${[1, html`<u></u>`]}</b>`.text).toBe(
      '<b><i>x</i>1<u></u></b>',
    );
  });

  it('lets data for the script leave the attribute as it went in', () => {
    const data = { name: `O'Reilly "&" <b>` };
    const attribute = html`<div data-x="${json(data)}"></div>`.text;
    const raw = /data-x="([^"]*)"/.exec(attribute)?.[1] ?? '';
    const back = raw
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&#96;', '`')
      .replaceAll('&amp;', '&');
    expect(JSON.parse(back)).toEqual(data);
  });
});
