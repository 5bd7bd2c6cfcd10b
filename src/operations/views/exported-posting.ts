// A posting as exports show it.
export interface ExportedPosting {
  readonly postingId: string;
  readonly tenantName: string;
  readonly kind: string;
  readonly guid: string;
  readonly number: string;
  readonly counterpartyName: string;
  readonly counterpartyKennitala: string;
  readonly issueDate: string;
  readonly postingDate: string;
  readonly totalIsk: string;
  readonly key: string;
  readonly state: string;
  readonly erpNumber: string;
  readonly journal: string | null;
  readonly settlement: string | null;
}
