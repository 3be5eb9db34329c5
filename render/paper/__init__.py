"""Games on paper: boards, pieces and rules as sheets that are printed and cut out.

A module ``printable`` beside a painter says what a game has to be printed (``parts.Printable``);
``booklet`` puts it on sheets of 300 dots an inch and writes them as a PDF. Lengths are millimetres.
"""
