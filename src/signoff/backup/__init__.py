"""Backups: one file with an installation's database at one point in time, and every media file that the database names.

The file is a plain tar with these parts, in this order:

database.dump           written by `pg_dump --format=custom`
media/<account>/<media> the files, sorted by name
media.jsonl             a line for each of them: name, size, SHA-256, content type
manifest.json           what created it, what's in it, and the hashes of database.dump and media.jsonl

It's written front to back, so if the manifest exists, everything before it does too.
"""
