"""A forward pass in numpy over a pack of weights: the reference for a compiled library in a browser."""
