// Nöfn annarra kerfa inni í setningum, og það sem þau sögðu.
const NAMES: Readonly<Record<string, readonly [nominative: string, oblique: string]>> = {
  'The ERP': ['Bókhaldskerfið', 'bókhaldskerfið'],
  'the ERP': ['Bókhaldskerfið', 'bókhaldskerfið'],
  'The integration layer': ['Millilagið', 'millilagið'],
  'The invoicing service': ['Reikningakerfið', 'reikningakerfið'],
};

/** Fremst í setningu. */
export const named = (system: string): string => NAMES[system]?.[0] ?? system;

/** Inni í setningu. */
export const inside = (system: string): string => NAMES[system]?.[1] ?? system;

/** Á eftir „í“: í bókhaldskerfinu. */
export const within = (system: string): string => {
  const name = inside(system);
  return name.endsWith('ið') ? `${name.slice(0, -2)}inu` : name;
};

/** Það sem annað kerfi sagði, á sínu máli. */
export const quoted = (answer: string): string => `„${answer}“`;
