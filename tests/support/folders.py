"""The folder for a test run's files: in memory, if there is room.

A run makes and deletes some hundred thousand small files, most of them of databases. On a disk,
the file system's own bookkeeping for them takes a noticeable share of the run.
"""

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
"""The folder that Linux keeps in memory."""

ENOUGH = 4 * 1024**3
"""Free bytes below which the disk is used; a whole run needs a third of it."""


def keep_in_memory() -> None:
    """Have this process, and those that it starts, make temporary files in memory.

    Nothing changes where ``TMPDIR`` is set, where that folder has too little room, and where no
    programs may be started from it, as in a container by default.
    """
    if "TMPDIR" in os.environ or not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK):
        return
    if os.statvfs(MEMORY).f_flag & os.ST_NOEXEC or shutil.disk_usage(MEMORY).free < ENOUGH:
        return
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)
