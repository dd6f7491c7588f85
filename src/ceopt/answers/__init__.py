"""What a study answers, in the user's own words and units."""
