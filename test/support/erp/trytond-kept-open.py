# Debian's trytond as it is, but for one thing: its SQLite connections are kept for the next transaction, as its PostgreSQL backend keeps
# its own. Otherwise each request opens three, and each of those reads the whole schema anew: a quarter of what a request takes.
import functools
import runpy
import sys

from trytond.backend.sqlite import database

KEPT = []
database.sqlite.connect = functools.partial(database.sqlite.connect, check_same_thread=False)
Opening = database.Database.connect


def connect(self):
    if self._conn is None and self.name != ':memory:' and KEPT:
        try:
            self._conn = KEPT.pop()
        except IndexError:
            pass
    return Opening(self)


def put_connection(self, connection=None, close=False):
    if self.name == ':memory:' or connection is None or connection is not self._conn:
        return
    self._conn = None
    if connection.in_transaction:
        connection.rollback()
    KEPT.append(connection)


database.Database.connect = connect
database.Database.put_connection = put_connection
sys.argv[0] = '/usr/bin/trytond'
runpy.run_path(sys.argv[0], run_name='__main__')
