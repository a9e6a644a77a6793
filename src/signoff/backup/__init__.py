"""One file that holds an installation: its database at one moment, and every media file that the database names.

The file is a plain tar, whose parts stand in this order:

    database.dump           what `pg_dump --format=custom` wrote
    media/<account>/<media> the files, in the order of their names
    media.jsonl             a line for each of them: name, size, SHA-256, content type
    manifest.json           what made it, what is in it, and the hashes of the two parts that hold all the others

It is written front to back, so that the manifest is there only if everything before it is.
"""
