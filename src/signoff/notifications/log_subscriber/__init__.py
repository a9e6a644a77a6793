"""Follows the audit log for everything that notifies people."""
