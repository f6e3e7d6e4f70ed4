"""How the image tower divides an image; Phi-3.5-vision has as many tokens for each crop."""

CROP = 336  # side of the squares that web-llm counts in, pixels
BLOCK = 28  # side of what a token stands for, pixels
PER_CROP = CROP // BLOCK
CELLS = 4  # cells along a side of a block
CELL = BLOCK // CELLS
FEATURES = CELLS * CELLS * 3
WHITE = 255.0
