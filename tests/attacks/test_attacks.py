"""Every attack fails in a cage, and succeeds without one: else its failing would prove nothing."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from tests.attacks.arena import OTHERS, Place, attacked, lacking, made_place
from tests.attacks.attacks import ATTACKS

pytestmark = pytest.mark.skipif(bool(lacking()), reason=lacking())

TRIED: dict[str, Callable[..., bool]] = {
    **{attack.name: partial(attacked, attack) for attack in ATTACKS},
    **OTHERS,
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with made_place(tmp_path_factory.mktemp("attacks")) as made:
        yield made


def test_there_are_twenty_five_attacks_and_more() -> None:
    assert len(TRIED) >= 25


@pytest.mark.parametrize("name", TRIED)
def test_an_attack_succeeds_without_a_cage_and_fails_in_one(name: str, place: Place) -> None:
    assert TRIED[name](place, cage=False)
    assert not TRIED[name](place, cage=True)
