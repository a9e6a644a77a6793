"""Export decisions as files for training and evaluation: read in pages, formatted line by line, and streamed."""
