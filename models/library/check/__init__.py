"""A numpy forward pass over a pack of weights, to compare a compiled library in a browser with."""
