// What operations on the other direction stand on.
import type { TenantName } from '../../domain/ids.js';
import type { Told } from '../../domain/message.js';
import type { TargetRequest } from '../../service/invoicing-target.js';
import type { ServiceReports } from '../../service/service-reports.js';
import type { OutgoingRecords } from './records.js';

export interface OutgoingDeps {
  readonly records: OutgoingRecords;
  /** What keeps a request from being sent, by the documents alone; nobody is asked. */
  breach(tenant: TenantName, request: TargetRequest): Promise<Told | null>;
  /** What the service knows beside documents; whoever asks for it closes it. `onProblem`: one record could not be read. */
  reports(tenant: TenantName, onProblem: (problem: string) => void): Promise<ServiceReports>;
}

const nobody = () => Promise.reject(new Error('nothing goes out here'));

/** Where nobody asks for it. */
export const NOTHING_GOES_OUT: OutgoingDeps = {
  records: {
    ...{
      switches: nobody,
      submissions: nobody,
      attempts: nobody,
      content: nobody,
      problems: nobody,
      generated: nobody,
    },
    ...{ confirm: nobody, pause: nobody, resume: nobody, move: nobody, takePlace: nobody, decide: nobody },
  },
  breach: nobody,
  reports: nobody,
};
