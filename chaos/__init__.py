"""The cluster for real, on one machine, under load and in trouble; and whether everything adds up afterwards."""
