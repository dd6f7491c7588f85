"""What the symbols mean: densities, Gaussian processes, quadrature; no domain words."""
