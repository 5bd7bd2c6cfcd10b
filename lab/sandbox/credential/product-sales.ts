// Document 1, Product sales: lists with `total` and `page` beside them.
import { attendeesOf, findProductSales } from '../service/product-sales.js';
import { pageOf, readPage } from '../http/paging.js';
import { list, type Reply } from '../http/reply.js';
import { productSaleOnWire } from '../wire/tasks-and-sales.js';
import { SUCCESS, guidField, succeed, type Answer, type Call } from './call.js';

const sales = (call: Call) => findProductSales(call.account, call.fields.text('search_text'));

function pageWithTotal<T>(call: Call, rows: readonly T[], toWire: (row: T) => unknown): Reply {
  const { productSalePageSize, pageSizeMax } = call.account.service.choices;
  const page = readPage(call.exchange, productSalePageSize, pageSizeMax);
  const paging = { total: rows.length, page: page.page };
  return list({ status: true, message: SUCCESS }, pageOf(rows, page), toWire, paging);
}

export const getProductSales: Answer = (call) =>
  pageWithTotal(call, sales(call), (row) => productSaleOnWire(row, 'code'));

export const getCountProductSales: Answer = (call) => succeed(sales(call).length);

export const getProductSaleAttends: Answer = (call) =>
  pageWithTotal(call, attendeesOf(call.account, guidField(call)), (row) => row);
