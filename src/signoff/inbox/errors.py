from signoff.platform.errors import Conflict


class TooManyViews(Conflict):
    code, title = "too_many_views", "No more views can be saved"
