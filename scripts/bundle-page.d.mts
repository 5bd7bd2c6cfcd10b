export function bundlePage(outfile: string): Promise<unknown>;
