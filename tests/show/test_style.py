import itertools

import numpy as np
import pytest

from breakrank.show.style import DARK, GONE, LIGHT, OPPOSED, PAGE, ROLES, Theme, css

# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB
DEFICIENCIES = {
    "none": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TOGETHER = (("opposed", "believed"), ("opposed", "loyal"), ("loyal", "hidden"), ("opposed", "hidden"))
FLOW = ("out", "hidden", "caught")
PLOTS = ("voice", "hidden", "caught", "loyal")


def linear(colour: str) -> np.ndarray:
    c = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    return float(linear(colour) @ [0.2126, 0.7152, 0.0722])


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def oklab(rgb: np.ndarray) -> np.ndarray:
    m1 = np.array([[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]])
    m2 = np.array([[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]])
    return m2 @ np.cbrt(m1 @ np.clip(rgb, 0, 1))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_text_can_be_read(theme: Theme) -> None:
    for role in ("ink", "muted", "baseline", "opposed", "believed", "given", "record", "counterfactual"):
        assert contrast(getattr(theme, role), theme.paper) >= 4.5, role


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_lines_stand_out(theme: Theme) -> None:
    for role in ("difference", "hidden", "caught", "voice"):
        assert contrast(getattr(theme, role), theme.paper) >= 3, role


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_colours_of_one_chart_differ_for_every_eye(theme: Theme, deficiency: str) -> None:
    for a, b in (*TOGETHER, *itertools.combinations(FLOW, 2), *itertools.combinations(PLOTS, 2)):
        seen = [oklab(DEFICIENCIES[deficiency] @ linear(getattr(theme, role))) for role in (a, b)]
        assert np.linalg.norm(seen[0] - seen[1]) > 0.1, (a, b)


@pytest.mark.parametrize("ramp", [GONE, OPPOSED])
def test_ramps_darken_at_every_step(ramp: tuple[str, ...]) -> None:
    light = [luminance(c) for c in ramp]
    assert light == sorted(light, reverse=True)
    assert min(a - b for a, b in itertools.pairwise(light)) > 0.01


def test_page_takes_every_colour_from_a_variable() -> None:
    for role in ROLES:
        name = f"--{role.replace('_', '-')}"
        assert getattr(PAGE, role) == f"var({name})"
        assert f"{name}: {getattr(LIGHT, role)};" in css(LIGHT)
