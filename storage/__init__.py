"""Records and the database that keeps them.

``Store`` opens the database; the modules named after what they keep (``games``, ``views``,
``inbox``, ``people``, ``places``, ``deadlines``, ``settings``) hold the functions that take one of
its transactions; ``write_backup`` and ``check_database`` run beside it, ``restore_backup``
and ``transfer_database`` where nobody has it open.
"""

from storage.damaged_cell_scan import CellFault, Judges
from storage.database.backups import restore_backup, write_backup, write_backup_if_due
from storage.doctor import Finding, check_backups, check_database, damaged_cells
from storage.errors import StorageError
from storage.store import Store
from storage.transfer import transfer_database
