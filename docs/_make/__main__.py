"""`python -m _make FOLDER`: write the pages for Sphinx. `python -m _make --check FOLDER`: check the built site."""

import sys
from pathlib import Path

from _make.assemble import write
from _make.links import broken

if sys.argv[1:2] == ["--check"]:
    found = broken(Path(sys.argv[2]))
    sys.exit("\n".join(found) if found else 0)
write(Path(sys.argv[1]))
