// Reports of the invoicing service.
import { plural } from './plural.js';

export const REPORTS = {
  reports: {
    title: 'Reports of the service',
    intro: 'What the invoicing service knows beside documents, read there now and kept nowhere.',
    report: 'Report',
    names: { sales: 'Product sales', attendees: 'Attendees', summary: 'Sums of invoices' },
    from: 'From',
    to: 'To',
    show: 'Show',
    choose: 'Choose a company and a report',
    chooseMore: 'The service is asked when you choose Show.',
    noPeriod: 'As it is now; the service has no period for this.',
    nothing: 'Nothing there',
    nothingMore: {
      sales: 'The service lists no product sales of this company.',
      attendees: 'Nobody is registered for an event of this company.',
      summary: 'The service has no invoices in this period.',
    },
    more: (n: number) => `Only the first ${n} are shown; the file has all of them.`,
    unreadable: (n: number) =>
      `${plural(n, 'record', 'records')} of the service cannot be read and ${n === 1 ? 'is' : 'are'} missing here.`,
    later: 'The service does not answer at the moment. Ask again in a while.',
    download: 'Download as CSV',
    came: 'came',
    didNotCome: 'no',
    columns: {
      name: 'Name',
      type: 'Kind',
      status: 'Status',
      amount: 'Price',
      in_stock: 'In stock',
      sale_name: 'Event',
      kennitala: 'ID number',
      phone_number: 'Telephone',
      qty: 'Number',
      invoice_number: 'Invoice',
      invoice_status: 'Its status',
      attended: 'Came',
      fields: 'What was asked',
      count: 'Invoices',
      currency: 'Currency',
      total: 'Total',
    },
  },
};
