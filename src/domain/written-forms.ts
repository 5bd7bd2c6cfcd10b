// How a secret may be written in a text of somebody else, and where in a text one is. Hundreds of companies have thousands of
// keys and tokens and every log line is looked through, so the time it takes depends on the text and not on how many are known.

/** As it is, inside JSON (PHP escapes the slash too), inside an address. */
export function writtenForms(value: string): readonly string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  // Unlike encodeURIComponent this one never throws; PHP and browsers write forms like it, others write %20 for a space.
  const inForm = new URLSearchParams([['', value]]).toString().slice(1);
  const inAddress = inForm.replaceAll('+', '%20');
  const unreserved = inAddress.replace(/%(21|27|28|29|7E)/g, (escaped) => decodeURIComponent(escaped));
  return [...new Set([value, inJson, inJson.replaceAll('/', '\\/'), inForm, inAddress, unreserved])];
}

/** No form is shorter: what is looked up is how a form ends. Tokens of one issuer all begin alike. */
export const FORM_LENGTH_MIN = 8;
const PLACES = 1 << 16;

/** Where a form stands in a text. */
interface Span {
  readonly from: number;
  readonly to: number;
}

export class KnownForms {
  /** How a form ends → all that end so, each as often as it was added. */
  readonly #byEnding = new Map<string, string[]>();
  /** How many forms there are for two of their last characters: nearly every place of a text is passed over by this alone. */
  readonly #places = new Uint32Array(PLACES);

  add(form: string): void {
    const alike = this.#byEnding.get(endingOf(form));
    if (alike) alike.push(form);
    else this.#byEnding.set(endingOf(form), [form]);
    this.#count(form, 1);
  }

  remove(form: string): void {
    const alike = this.#byEnding.get(endingOf(form)) ?? [];
    const at = alike.indexOf(form);
    if (at < 0) return;
    alike.splice(at, 1);
    if (alike.length === 0) this.#byEnding.delete(endingOf(form));
    this.#count(form, -1);
  }

  /** Whatever belongs to a form is covered, also where two of them overlap. */
  mask(text: string, mask: string): string {
    const spans = this.#spans(text);
    if (spans.length === 0) return text;
    let masked = '';
    let coveredTo = 0;
    for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
      if (from >= coveredTo) masked += text.slice(coveredTo, from) + mask;
      coveredTo = Math.max(coveredTo, to);
    }
    return masked + text.slice(coveredTo);
  }

  #spans(text: string): Span[] {
    const spans: Span[] = [];
    for (let to = FORM_LENGTH_MIN; to <= text.length; to++) {
      if (this.#places[placeOf(text, to)] === 0) continue;
      for (const form of this.#byEnding.get(text.slice(to - FORM_LENGTH_MIN, to)) ?? [])
        if (text.endsWith(form, to)) spans.push({ from: to - form.length, to });
    }
    return spans;
  }

  #count(form: string, by: number): void {
    const place = placeOf(form, form.length);
    this.#places[place] = (this.#places[place] ?? 0) + by;
  }
}

function endingOf(form: string): string {
  return form.slice(-FORM_LENGTH_MIN);
}

/** From two characters that stand apart, before the place where a form would end. */
function placeOf(text: string, to: number): number {
  return ((text.charCodeAt(to - FORM_LENGTH_MIN) << 8) ^ text.charCodeAt(to - 1)) & (PLACES - 1);
}
