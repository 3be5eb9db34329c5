from py4swiss.trf import TrfLine

class PlayerSection:
    @classmethod
    def from_string(cls, string: str) -> PlayerSection: ...

class XSection:
    @classmethod
    def from_lines(cls, lines: list[TrfLine]) -> XSection: ...
