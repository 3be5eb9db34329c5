"""The boards that owe a change: marked in its transaction, shown afterwards."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.boards.delivery import Delivery
from bot.service.changes import Change, Participant, RemoteChange
from storage import views
from storage.store import Transaction


@dataclass(frozen=True)
class OwedBoards(Participant):
    """Marks the views of a table as owing its changes."""

    delivery: Delivery

    async def stored(self, tx: Transaction, change: Change) -> None:
        """Mark the views of the table, and those that show it from now on, as owing."""
        table, update = change.table, change.update
        if change.before is None:
            change.owing = tuple([await views.add_view(tx, view) for view in change.shown])
            return
        owing = await views.owe_views(
            tx, table.code, table.version, update.renewal(change.work.now)
        )
        there = {(view.platform, view.place, view.thread) for view in owing}
        for view in change.shown:
            if (view.platform, view.place, view.thread) not in there:
                owing += (await views.add_view(tx, replace(view, owed=table.version)),)
        # The presser waits for their board; the others do not know that there is a new one.
        change.owing = tuple(sorted(owing, key=lambda view: view.place != update.place))
        self.delivery.ahead(table, change.owing)

    def committed(self, change: Change) -> None:
        """Show the boards that owe it; those of a child are shown with its parent's."""
        if not change.is_child:
            child = () if change.child is None else change.child.owing
            self.delivery.owed((*change.owing, *child))

    def heard(self, change: RemoteChange) -> None:
        """Show here the boards that owe a change by another process."""
        self.delivery.changed_elsewhere(change.code, change.places)
