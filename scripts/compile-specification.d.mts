export const SPECIFICATION: URL;
export const COMPILED: URL;
export function compileSpecification(text?: string): Promise<string>;
