"""What people decided, as files to train and evaluate with: read in pages, shaped line by line, sent as it is made."""
