"""An append-only log of events, in memory or in an SQL database, and what is made of it."""
