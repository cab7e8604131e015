"""The program ``tcsim``, also as ``python -m tcsim``."""

from __future__ import annotations

import sys


def run() -> int:
    """Run the command line of this process; Ctrl-C says one word even while it is being loaded.

    Returns
    -------
    int
        Exit status, as of :func:`tcsim.cli.main`.
    """
    try:
        from tcsim.cli import main

        return main()
    except KeyboardInterrupt:
        sys.stderr.write("tcsim: interrupted\n")
        return 130


if __name__ == "__main__":
    sys.exit(run())
