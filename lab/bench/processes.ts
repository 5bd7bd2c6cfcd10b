// What processes cost, as Linux counts it: processor time and the most memory they held. Elsewhere nothing is known.
import { readdirSync, readFileSync } from 'node:fs';

export interface Cost {
  readonly cpuMs: number;
  readonly peakMb: number;
}

/** Of Linux: clock ticks a second, which no architecture of ours has otherwise. */
const TICKS_PER_SECOND = 100;

export function costOf(pids: readonly (number | undefined)[]): Cost {
  const costs = pids.map((pid) => (pid === undefined ? null : readCost(pid)));
  return {
    cpuMs: costs.reduce((sum, cost) => sum + (cost?.cpuMs ?? 0), 0),
    peakMb: Math.max(0, ...costs.map((cost) => cost?.peakMb ?? 0)),
  };
}

/** A server and everything it has started; of what has ended since, the time is in the server's own books. */
export function costOfFamily(pid: number): Cost {
  const family = [pid, ...childrenOf(pid)];
  const own = costOf(family);
  return { cpuMs: own.cpuMs + endedChildrenMs(pid), peakMb: own.peakMb };
}

function readCost(pid: number): Cost | null {
  const fields = statFields(pid);
  if (!fields) return null;
  return { cpuMs: ticks(fields, [11, 12]), peakMb: peakMb(pid) };
}

function endedChildrenMs(pid: number): number {
  const fields = statFields(pid);
  return fields ? ticks(fields, [13, 14]) : 0;
}

function ticks(fields: readonly string[], places: readonly number[]): number {
  const sum = places.reduce((total, place) => total + Number(fields[place] ?? 0), 0);
  return (sum * 1000) / TICKS_PER_SECOND;
}

/** Field 3 of proc(5) comes first: the name before it may hold anything. */
function statFields(pid: number): string[] | null {
  const text = readProc(`${pid}/stat`);
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function peakMb(pid: number): number {
  const kb = /VmHWM:\s+(\d+) kB/.exec(readProc(`${pid}/status`) ?? '')?.[1];
  return Math.round(Number(kb ?? 0) / 1024);
}

function childrenOf(pid: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((child) => statFields(child)?.[1] === String(pid));
}

function readProc(name: string): string | null {
  try {
    return readFileSync(`/proc/${name}`, 'utf8');
  } catch {
    return null;
  }
}
