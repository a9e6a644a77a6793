from signoff.platform.errors import Problem


class NoDemo(Problem):
    status, code, title = 404, "no_demo", "There is no demo"

    def __init__(self) -> None:
        super().__init__("This workspace has no demo, or it was removed already.")
