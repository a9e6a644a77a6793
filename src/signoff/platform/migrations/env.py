"""Alembic's entry point: runs the migrations on the connection passed by `signoff.platform.migrate`."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transaction_per_migration=True)
with context.begin_transaction():
    context.run_migrations()
