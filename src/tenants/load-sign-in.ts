// Reads `sign-in.yaml`. Half a rule about who may come in would be worse than none: a broken file stops the start, and says
// which line is wrong.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '../domain/errors/coded-error.js';
import type { Secret } from '../domain/secret.js';
import { explainIssues } from './explain-issue.js';
import { readYaml } from './read-yaml.js';
import { resolveSecret } from './secrets.js';
import { signInFile, type SignInFile } from './sign-in-schema.js';

export const SIGN_IN_FILE = 'sign-in.yaml';

export interface SignInSettings extends Omit<SignInFile, 'clientSecret'> {
  readonly clientSecret: Secret | null;
}

/** null: there is no such file, and nobody signs in elsewhere. */
export async function loadSignIn(
  configDirectory: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SignInSettings | null> {
  const file = join(configDirectory, SIGN_IN_FILE);
  if (!(await stat(file).catch(() => null))) return null;
  const read = await readYaml(file);
  if (read.outcome === 'unreadable') throw invalid(read.problems.map(({ message }) => `${file}: ${message}`));
  const { yaml } = read;
  const judged = signInFile.safeParse(yaml.value ?? {});
  if (!judged.success) {
    const explained = explainIssues(judged.error.issues, {
      schema: signInFile,
      value: yaml.value,
      written: (path) => yaml.written(path),
      mayRepeat: false,
      page: 'tenants',
    });
    throw invalid(
      explained.map(
        ({ path, words: { message, remedy } }) => `${file}:${yaml.locate(path).line}: ${message} ${remedy}`,
      ),
    );
  }
  const { clientSecret, ...settings } = judged.data;
  const places = { env, baseDirectory: configDirectory };
  return {
    ...settings,
    clientSecret: clientSecret === undefined ? null : resolveSecret(clientSecret, places),
  };
}

function invalid(problems: readonly string[]): CodedError {
  return new CodedError('SIGN_IN_INVALID', problems.join('\n'), { details: { problems } });
}
