# Debian's trytond-admin as it is, but for one thing: the records that come with Tryton's modules are not validated one by one, which is
# two fifths of what making a database takes. They are the same records of the same packages each time; the server validates all that
# tests write.
import runpy
import sys

from trytond.model import ModelStorage

ModelStorage._validate = classmethod(lambda cls, records, field_names=None: None)
sys.argv[0] = '/usr/bin/trytond-admin'
runpy.run_path(sys.argv[0], run_name='__main__')
