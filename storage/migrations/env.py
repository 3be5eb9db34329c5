"""Runs the revisions on the connection, and in the transaction, that ``storage.upgrade`` holds."""

from alembic import context

from storage.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
context.run_migrations()
