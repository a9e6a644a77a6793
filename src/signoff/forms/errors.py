from signoff.platform.errors import Conflict


class VersionConflict(Conflict):
    code, title = "version_conflict", "Somebody else changed the review type"
