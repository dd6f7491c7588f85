"""What the words mean: graphs, domains, interventions, data and problems."""
