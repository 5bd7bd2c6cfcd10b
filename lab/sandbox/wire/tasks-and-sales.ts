// Tasks, their logs and product sales in the shapes of Document 1.
import { instantOf } from '../clock.js';
import { PRODUCT_SALE_TYPES, type ProductSale, type Task, type TaskLog } from '../model.js';
import { wireDecimal, wireMoney } from '../money.js';
import { canDeactivate, canStart, canStop } from '../service/tasks.js';

export function taskOnWire(task: Task) {
  const hours = task.logs.reduce((sum, log) => sum + log.quantity, 0);
  return {
    guid: task.guid,
    number: task.number,
    name: task.name,
    status: task.status,
    item: { ...task.item, unit_price: wireDecimal(task.item.unit_price) },
    customer: task.customer,
    start_time: icelandicTime(task.running_since ?? task.created_at),
    total_time: wireMoney(hours),
    invoices: task.invoices,
    logs: task.logs.map(logOnWire),
    canStart: canStart(task),
    canStop: canStop(task),
    canDeactive: canDeactivate(task),
    project_name: task.project_name,
  };
}

function logOnWire(log: TaskLog) {
  return { ...log, quantity: wireMoney(log.quantity) };
}

/** d.m.Y H:i */
function icelandicTime(timestamp: string): string {
  const [year, month, day, time] = new Date(instantOf(timestamp)).toISOString().split(/[-T]/);
  return `${day ?? ''}.${month ?? ''}.${year ?? ''} ${(time ?? '').slice(0, 5)}`;
}

/** Document 1 shows an integer code without its values; here STAND, SUB, DONA, EVENT are 1 to 4. */
export function productSaleOnWire(sale: ProductSale, typeAs: 'code' | 'name') {
  const { attendees: _attendees, amount, type, ...shown } = sale;
  return {
    ...shown,
    is_open: sale.status === 1,
    type: typeAs === 'name' ? type : PRODUCT_SALE_TYPES.indexOf(type) + 1,
    amount: wireMoney(amount),
  };
}
