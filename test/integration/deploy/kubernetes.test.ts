// The manifests against the schemas of Kubernetes: required fields and formats by its validators, names by its types, since the
// schemas let pass what they do not know.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { afterAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const file = readFileSync(resolve(ROOT, 'deploy/kubernetes/ledgerbridge.yaml'), 'utf8');

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}
const manifests = parseAllDocuments(file).map((one) => one.toJS() as Manifest);

const KINDS = {
  Deployment: { model: Deployment, from: 'kubernetes-models/apps/v1' },
  Service: { model: Service, from: 'kubernetes-models/v1' },
  PodDisruptionBudget: { model: PodDisruptionBudget, from: 'kubernetes-models/policy/v1' },
  NetworkPolicy: { model: NetworkPolicy, from: 'kubernetes-models/networking.k8s.io/v1' },
  HorizontalPodAutoscaler: { model: HorizontalPodAutoscaler, from: 'kubernetes-models/autoscaling/v2' },
} as const;
type Kind = keyof typeof KINDS;

function validated(manifest: Manifest): void {
  const { model: Model } = KINDS[manifest.kind as Kind];
  new Model(manifest as never).validate();
}

describe('the Kubernetes manifests', () => {
  const directory = mkdtempSync(join(ROOT, 'node_modules', '.kubernetes-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /** What the compiler says of the manifests as literals of the types of Kubernetes. */
  function typed(name: string, checked: readonly Manifest[]): string {
    const imports = Object.entries(KINDS).map(
      ([kind, { from }]) => `import type { I${kind} } from '${from}';`,
    );
    const literals = checked.map(
      (manifest, index) => `export const m${String(index)}: I${manifest.kind} = ${JSON.stringify(manifest)};`,
    );
    const path = join(directory, `${name}.ts`);
    writeFileSync(path, [...imports, ...literals].join('\n'));
    const tsc = resolve(ROOT, 'node_modules/typescript-native/bin/tsc');
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--ignoreConfig'];
    const { stdout, stderr } = spawnSync(process.execPath, [tsc, ...flags, path], { encoding: 'utf8' });
    return `${stdout}${stderr}`;
  }

  it.each(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
    '%s keeps the schema',
    (_name, manifest) => {
      expect(Object.keys(KINDS)).toContain(manifest.kind);
      expect(() => validated(manifest)).not.toThrow();
    },
  );

  it('are reached at one port, and no pod has a token of the cluster', () => {
    const pods = manifests.filter(({ kind }) => kind === 'Deployment');
    for (const { spec } of pods as unknown as { spec: { template: { spec: object } } }[])
      expect(spec.template.spec).toMatchObject({ automountServiceAccountToken: false });
    const [policy] = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
    expect(policy).toMatchObject({
      spec: {
        podSelector: { matchLabels: { app: 'ledgerbridge' } },
        ...{ policyTypes: ['Ingress'], ingress: [{ ports: [{ port: 'http' }] }] },
      },
    });
  });

  it('name nothing that Kubernetes does not know', () => {
    expect(typed('manifests', manifests)).toBe('');
  });

  it('would be refused with a field of the wrong type, or a name that is misspelt', () => {
    const [deployment] = structuredClone(manifests) as unknown as [
      { spec: Record<string, unknown> } & Manifest,
    ];
    expect(() =>
      validated({ ...deployment, spec: { ...deployment.spec, replicas: 'two' } } as Manifest),
    ).toThrow(/replicas/);
    const misspelt = { ...deployment, spec: { ...deployment.spec, minReadySecond: 5 } } as Manifest;
    expect(typed('misspelt', [misspelt])).toContain('minReadySecond');
  });
});
