// SQL in pieces that can be put together, each with its own values. Prisma has the same, but whoever only asks a question should not have
// to load Prisma for it. In a transaction with models a statement with pieces goes to `$queryRaw` whole: `tx.$queryRaw(sql`…`)`.
export { default as sql, empty, join, raw, type Sql } from 'sql-template-tag';
