// One problem, one line, in the form that editors and terminals make clickable.
import { relative } from 'node:path';
import type { TenantProblem } from './tenant.js';

export function formatProblem(problem: TenantProblem, directory: string): string {
  const { line, column, severity, path, message, remedy } = problem;
  const file = relative(directory, problem.file) || '.';
  const place = path === '' ? '' : `${path}: `;
  return `${file}:${String(line)}:${String(column)}: ${severity}: ${place}${message} ${remedy}`;
}
