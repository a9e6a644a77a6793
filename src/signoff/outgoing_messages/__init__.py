"""Everything that Signoff sends, in one list, whatever channel it goes through."""
