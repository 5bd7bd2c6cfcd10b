const NO_ID = '00000000-0000-0000-0000-000000000000';

/** What is no id names nothing; the database would call it an error. */
export function uuid(text: string): string {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text : NO_ID;
}
