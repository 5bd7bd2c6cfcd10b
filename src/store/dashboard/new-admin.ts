// Who became an admin by a change, for those who are told of it.
import type { Reach } from '../../operations/access/reach.js';

/** Where they are an admin and were not before; an empty list means all companies. */
export function newAdmin(before: Rights | null, now: Rights): { readonly adminOf?: readonly string[] } {
  const [had, has] = [adminOf(before), adminOf(now)];
  if (has === null || had?.length === 0) return {};
  if (has.length === 0) return { adminOf: [] };
  const added = has.filter((name) => had?.includes(name) !== true);
  return added.length === 0 ? {} : { adminOf: added };
}

interface Rights {
  readonly role: string;
  readonly reach: Reach | null;
}

/** null: nowhere; empty: everywhere. */
function adminOf(rights: Rights | null): readonly string[] | null {
  if (rights === null) return null;
  if (rights.reach === null) return rights.role === 'admin' ? [] : null;
  const names = [...rights.reach].flatMap(([name, role]) => (role === 'admin' ? [name] : []));
  return names.length === 0 ? null : names;
}
