"""From data to belief: mechanisms, P(G | D), effects of interventions, causal surrogates."""
