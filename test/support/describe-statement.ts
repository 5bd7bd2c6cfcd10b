// What a statement would return, asked of PostgreSQL without running it.
import type pg from 'pg';

export interface DescribedColumn {
  readonly name: string;
  readonly type: number;
  /** The table and the column that it is taken from unchanged; 0: it is computed. */
  readonly table: number;
  readonly column: number;
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
  readonly tableID: number;
  readonly columnID: number;
}

export function describeStatement(client: pg.Client, text: string): Promise<DescribedColumn[]> {
  return new Promise((resolve, reject) => {
    let fields: readonly Field[] = [];
    const query = {
      text,
      submit: (connection: pg.Connection) => {
        connection.parse({ name: '', text, types: [] } as never, true);
        connection.describe({ type: 'S', name: '' } as never, true);
        connection.sync();
        return null;
      },
      handleRowDescription: (message: { readonly fields: readonly Field[] }) => {
        ({ fields } = message);
      },
      handleError: reject,
      handleReadyForQuery: () => {
        resolve(
          fields.map(({ name, dataTypeID, tableID, columnID }) => ({
            ...{ name, type: dataTypeID, table: tableID, column: columnID },
          })),
        );
      },
    };
    client.query(query as unknown as pg.Submittable);
  });
}
