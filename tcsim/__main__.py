"""``python -m tcsim``: the command line."""

import sys

from tcsim.cli import main

if __name__ == "__main__":
    sys.exit(main())
