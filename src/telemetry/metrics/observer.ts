// Calls over the ports, for those who count them. What happens to documents is told as events (domain/bridge-event.ts).
export interface ObservedCall {
  readonly side: 'source' | 'erp';
  /** The surface of the source, or the name of the adapter: few, and known beforehand. */
  readonly system: string;
  /** Name of the port's method. */
  readonly call: string;
  /** What the port answered; `threw` when it answered nothing. */
  readonly outcome: string;
  readonly seconds: number;
}

export interface Observer {
  called(call: ObservedCall): void;
}
