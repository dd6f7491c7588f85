"""From what is known about causes to P(G): reading, counting and listing graphs."""
