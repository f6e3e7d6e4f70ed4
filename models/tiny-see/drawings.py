"""Drawings of one figure: its shape and colour, and all else that varies."""

import colorsys
import io
import math
import random
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

SHAPES = ("circle", "square", "triangle", "star", "cross", "ring", "heart", "arrow")
# Hue in degrees, saturation and value, each from and to.
COLOURS: dict[str, tuple[tuple[float, float], ...]] = {
    "red": ((-6, 6), (0.8, 1), (0.75, 1)),
    "orange": ((26, 36), (0.9, 1), (0.92, 1)),
    "yellow": ((52, 60), (0.8, 1), (0.92, 1)),
    "green": ((105, 140), (0.65, 1), (0.45, 0.8)),
    "blue": ((212, 236), (0.75, 1), (0.6, 1)),
    "purple": ((268, 286), (0.65, 1), (0.45, 0.75)),
    "pink": ((322, 340), (0.35, 0.6), (0.95, 1)),
    "black": ((0, 360), (0, 0.3), (0, 0.12)),
}
OTHER = "other"  # a colour without a name; with such, a shape is learnt apart from the colours that it is seen in
OTHER_SHARE = 0.6  # of the pictures in the training
HUE_MARGIN, MARGIN = 8, 0.15  # of a colour without a name, around the named ones: degrees; saturation and value
LEAST_CONTRAST = 150  # the sum of the differences of red, green and blue
SMOOTH = 3  # times the size, for smooth edges
SIDES, HELD_SIDES = (48, 160), (161, 400)  # pixels of a drawing
SIZES = (0.36, 0.92)  # of a figure, as a fraction of the shorter side
HELD_SIZES = (0.56, 0.66)
HELD_STEP = 3  # between the shape and the colour of a held-out pair


Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Figure:
    shape: str
    colour: str

    @property
    def is_held_out(self) -> bool:
        """Whether no drawing of the training has this shape in this colour; each shape and colour has one such."""
        if self.colour == OTHER:
            return False
        step = list(COLOURS).index(self.colour) - SHAPES.index(self.shape)
        return step % len(SHAPES) == HELD_STEP


def draw_figure(rng: random.Random, held_out: bool) -> Figure:
    """A figure with a named colour, whose pair of shape and colour is held out or is not."""
    while True:
        figure = Figure(rng.choice(SHAPES), rng.choice(tuple(COLOURS)))
        if figure.is_held_out == held_out:
            return figure


def draw_size(rng: random.Random, held_out: bool) -> float:
    while True:
        size = rng.uniform(*(HELD_SIZES if held_out else SIZES))
        if held_out or not HELD_SIZES[0] <= size <= HELD_SIZES[1]:
            return size


def draw_training_figure(rng: random.Random) -> Figure:
    if rng.random() < OTHER_SHARE:
        return Figure(rng.choice(SHAPES), OTHER)
    return draw_figure(rng, held_out=False)


def rgb(hue: float, saturation: float, value: float) -> Colour:
    red, green, blue = (round(255 * part) for part in colorsys.hsv_to_rgb(hue % 360 / 360, saturation, value))
    return red, green, blue


def has_name(hue: float, saturation: float, value: float) -> bool:
    """Whether a colour is like one of those with names, or too dark."""

    def is_near(at: float, bounds: tuple[float, float], margin: float) -> bool:
        return bounds[0] - margin <= at <= bounds[1] + margin

    near = (
        (is_near(hue, hues, HUE_MARGIN) or is_near(hue - 360, hues, HUE_MARGIN))
        and is_near(saturation, saturations, MARGIN)
        and is_near(value, values, MARGIN)
        for name, (hues, saturations, values) in COLOURS.items()
        if name != "black"
    )
    return value < 0.3 or any(near)


def draw_colour(rng: random.Random, name: str, background: Colour) -> Colour:
    while name == OTHER:
        hue, saturation, value = rng.uniform(0, 360), rng.uniform(0, 1), rng.uniform(0.3, 1)
        found = rgb(hue, saturation, value)
        contrast = sum(abs(one - other) for one, other in zip(found, background, strict=True))
        if not has_name(hue, saturation, value) and contrast >= LEAST_CONTRAST:
            return found
    return rgb(*(rng.uniform(*bounds) for bounds in COLOURS[name]))


def draw_background(rng: random.Random, figure: Figure) -> Colour:
    """White, grey, a pale colour or, unless the figure is black, a dark grey."""
    sort = rng.random()
    if sort < 0.4:
        return (255, 255, 255)
    if sort < 0.85 or figure.colour in ("black", "purple"):
        least = 0.82 if sort < 0.6 else 0.9
        value, saturation = rng.uniform(least, 1), 0 if sort < 0.6 else rng.uniform(0, 0.12)
        return rgb(rng.uniform(0, 360), saturation, value)
    grey = rng.randint(20, 75)
    return (grey, grey, grey)


def regular(points: int, inner: float = 1.0) -> list[tuple[float, float]]:
    """Corners on the unit circle; those between two have the radius `inner` if it is not 1."""
    steps = points if inner == 1 else 2 * points
    radii = (1, inner)
    return [
        (
            radii[step % 2] * math.sin(2 * math.pi * step / steps),
            -radii[step % 2] * math.cos(2 * math.pi * step / steps),
        )
        for step in range(steps)
    ]


def heart() -> list[tuple[float, float]]:
    turns = [2 * math.pi * step / 60 for step in range(60)]
    return [
        (
            math.sin(turn) ** 3,
            -(13 * math.cos(turn) - 5 * math.cos(2 * turn) - 2 * math.cos(3 * turn) - math.cos(4 * turn)) / 16 - 0.1,
        )
        for turn in turns
    ]


def outline(rng: random.Random, shape: str) -> list[tuple[float, float]]:
    """The corners of a shape within the unit circle, more or less; y grows downwards."""
    if shape in ("circle", "ring"):
        return regular(72)
    if shape == "square":
        half = 0.78
        return [(-half, -half), (half, -half), (half, half), (-half, half)]
    if shape == "triangle":
        return regular(3)
    if shape == "star":
        return regular(5, rng.uniform(0.38, 0.46))
    if shape == "heart":
        return heart()
    thin = rng.uniform(0.22, 0.34)
    if shape == "cross":
        quarter = [(thin, -thin), (thin, -1), (-thin, -1), (-thin, -thin)]
        return [point for turn in range(4) for point in (turned(quarter, -90 * turn))]
    head = rng.uniform(0.55, 0.72)
    edge = rng.uniform(-0.05, 0.15)
    return [(1, 0), (edge, -head), (edge, -thin), (-1, -thin), (-1, thin), (edge, thin), (edge, head)]


def turned(points: list[tuple[float, float]], degrees: float) -> list[tuple[float, float]]:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [(x * cos - y * sin, x * sin + y * cos) for x, y in points]


def turn(rng: random.Random, shape: str) -> float:
    """Degrees. A heart and a triangle stand upright, more or less; an arrow points anywhere."""
    if shape == "arrow":
        return rng.choice((0, 90, 180, 270)) + rng.uniform(-25, 25)
    return rng.uniform(-22, 22) if rng.random() < 0.7 else 0


def noisy(rng: random.Random, picture: Image.Image) -> Image.Image:
    noise = np.random.default_rng(rng.getrandbits(32)).normal(0, rng.uniform(1, 9), (*picture.size[::-1], 3))
    return Image.fromarray(np.clip(np.asarray(picture) + noise, 0, 255).astype(np.uint8))


def as_jpeg(rng: random.Random, picture: Image.Image) -> Image.Image:
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=rng.randint(45, 92))
    return Image.open(file).convert("RGB")


def draw(rng: random.Random, figure: Figure, held_out: bool = False, plain: bool = False) -> Image.Image:
    """A drawing of the figure. A held-out one has sizes that the training has not; a plain one no noise."""
    width = height = rng.randint(*(HELD_SIDES if held_out else SIDES))
    if rng.random() < 0.3:
        width, height = rng.choice(
            ((width, round(width / rng.uniform(1, 1.5))), (round(height / rng.uniform(1, 1.5)), height))
        )
    radius = draw_size(rng, held_out) * min(width, height) / 2
    background = draw_background(rng, figure)
    colour = draw_colour(rng, figure.colour, background)
    x, y = (rng.uniform(radius, side - radius) for side in (width, height))
    points = [
        (SMOOTH * (x + radius * px), SMOOTH * (y + radius * py))
        for px, py in turned(outline(rng, figure.shape), turn(rng, figure.shape))
    ]
    large = Image.new("RGB", (SMOOTH * width, SMOOTH * height), background)
    pen = ImageDraw.Draw(large)
    pen.polygon(points, fill=colour)
    if figure.shape == "ring":
        hole = SMOOTH * radius * rng.uniform(0.5, 0.72)
        pen.ellipse((SMOOTH * x - hole, SMOOTH * y - hole, SMOOTH * x + hole, SMOOTH * y + hole), fill=background)
    elif rng.random() < 0.25:
        line = (0, 0, 0) if sum(background) > 380 else (255, 255, 255)
        pen.line(
            [*points, *points[:2]],
            fill=line,
            width=max(1, round(SMOOTH * radius * rng.uniform(0.02, 0.08))),
            joint="curve",
        )
    picture = large.resize((width, height), Image.Resampling.BOX)
    if not plain and rng.random() < 0.3:
        picture = noisy(rng, picture)
    if not plain and rng.random() < 0.25:
        picture = as_jpeg(rng, picture)
    return picture
