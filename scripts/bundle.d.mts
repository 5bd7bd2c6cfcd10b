import type { BuildOptions, BuildResult } from 'esbuild';

export function bundle(options: BuildOptions): Promise<BuildResult>;
export function copyAssets(outdir: string): void;
export function bundleProgram(outdir: string): Promise<void>;
