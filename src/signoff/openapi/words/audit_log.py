"""The operations under "Audit log"."""

from signoff.openapi.words.wording import Operations, Words

OPERATIONS: Operations = {
    ("get", "/auditLog"): Words("listAuditLog", "List audit log entries"),
}
