// Conditions in words: a title, what is behind it, and the next step. The compiler finds what a language does not say.
import type { ConditionCode, ConditionParams } from '../../domain/condition.js';

export interface ConditionText {
  readonly title: string;
  readonly details: string;
  readonly nextStep: string;
}

/** `name` is what people call the tenant; `command` what it is called in commands. */
export type ConditionTexts = {
  readonly [Code in ConditionCode]: (
    params: ConditionParams[Code],
    who: { readonly name: string; readonly command: string },
  ) => ConditionText;
};
