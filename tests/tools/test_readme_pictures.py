"""The pictures of the README are there in each language, and small."""

from tests.tools.readme_pictures import FOLDER, LOCALES, PICTURES


def test_each_language_has_its_three_pictures_and_they_are_small():
    names = [f"{name}-{code}.png" for name in PICTURES for code in LOCALES]
    assert sorted(one.name for one in FOLDER.iterdir()) == sorted(names)
    assert max(one.stat().st_size for one in FOLDER.iterdir()) <= 150_000
