# Names of Tryton's modules as arguments; those that this interpreter does not have are printed. Nothing of Tryton is loaded for it.
import importlib.util
import os
import sys

found = importlib.util.find_spec('trytond')
places = list(found.submodule_search_locations) if found else []
for name in sys.argv[1:]:
    if not any(os.path.isdir(os.path.join(place, 'modules', name)) for place in places):
        print(name)
