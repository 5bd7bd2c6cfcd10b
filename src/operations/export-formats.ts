// What can be exported, and as what.
export const EXPORT_FORMATS = ['csv', 'json', 'hledger'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
export const EXPORT_SUBJECTS = ['journals', 'postings'] as const;
export type ExportSubject = (typeof EXPORT_SUBJECTS)[number];
